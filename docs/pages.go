// Package docs embeds the pages of the documentation. Package cmd/manual renders some of them for
// limpet help and for man pages, so that a topic and its page are one text.
package docs

import "embed"

// Pages holds the pages by their names: tables.md.
//
//go:embed *.md
var Pages embed.FS
