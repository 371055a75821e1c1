// Package formats knows every parser of a site's tools, and which of them
// understand a file: by what it says, never by its name.
package formats
