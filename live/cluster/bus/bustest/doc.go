// Package bustest holds a bus against what is promised of one. Only tests need it.
package bustest
