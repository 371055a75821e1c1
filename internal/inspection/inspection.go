// Package inspection holds what packages report about their files when they read the files
// without changing them, for limpet check.
package inspection

// File is one file of a saved state.
type File struct {
	Path  string
	Bytes int64
	// Unknown means that limpet never writes a file with such a name.
	Unknown bool
	// Defect is a sentence about a file that cannot be read in whole. It is empty for a whole file.
	Defect string
}
