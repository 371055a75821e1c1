// Package phrases collects every sentence, headline, label, warning and error that limpet
// can print, and writes them as one page, docs/phrases.md (make phrases). An editor of
// the language can read one page.
//
// The source goes in: Go files, the presets, the templates and scripts of pages, the console. The
// topics of limpet help are not read: they are already pages of docs. Phrases come out, each with
// its file and its function. Every string is a phrase unless leave.go excludes it, so that no new
// sentence is forgotten.
//
// If the program builds a sentence of parts, the sentence is one phrase. Values are shown as
// examples (example.go). If the program chooses between several words, they are listed below the
// phrase.
//
// Read first: phrase.go, gofile.go, example.go.
package phrases
