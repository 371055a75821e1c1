// Package bustest tests that a bus does what package bus promises.
package bustest
