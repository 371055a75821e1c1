// Package layout is the description of long tables that people write: which files,
// columns and times there are, what names a component, and what is measured.
//
// It reads descriptions and opens no table. Its twin for records of drives is
// study/source/internal/layout.
package layout
