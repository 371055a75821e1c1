// Package phrases collects every sentence, headline, label, warning and error that limpet
// can print, and writes them as one page, docs/phrases.md (make phrases). Whoever edits
// the language reads one page.
//
// The source goes in: Go files, the presets, the templates and scripts of pages, the console.
// The topics of limpet help are pages of docs, and are read there. Phrases come out, each with the file and the function
// that it stands in. A string that nothing excludes is a phrase, so that a new sentence
// cannot be forgotten: leave.go has what is left out, and why.
//
// A sentence of parts is one phrase. Its values are examples (example.go), and the words
// between which the program chooses stand beneath it.
//
// Read first: phrase.go, gofile.go, example.go.
package phrases
