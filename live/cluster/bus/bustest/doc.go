// Package bustest tests whether a bus behaves as package bus describes.
package bustest
