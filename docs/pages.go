// Package docs embeds pages of the documentation. Package cmd/manual renders them for
// limpet help and for man pages, so that a topic and its page are one text.
package docs

import "embed"

// Pages holds the pages that are topics of limpet help, by their names: tables.md.
//
//go:embed README.md reading.md decides.md limits.md topology-file.md tables.md feedback.md formats.md exit-codes.md
var Pages embed.FS
