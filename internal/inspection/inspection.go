// Package inspection holds the type in which packages report about their files to limpet check. The
// packages read the files and do not change them.
package inspection

// File is one file of a saved state.
type File struct {
	Path  string
	Bytes int64
	// Unknown means that limpet never writes a file with such a name.
	Unknown bool
	// Defect is a sentence about a file that cannot be read completely; empty: no defect.
	Defect string
}
