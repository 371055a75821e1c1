// Package manual makes the topics of limpet help, and the man pages of commands and
// topics, from the same texts, so that the two cannot differ.
//
// The commands and pages of package docs come in; roff, and text for a terminal, go out. Texts of
// commands are plain (block.go): indented lines are printed unchanged, other lines are paragraphs.
// Pages are Markdown (page_blocks.go). The same input gives the same bytes: the caller gives the
// date of a page. Read page.go first.
//
// The generator of cobra (github.com/spf13/cobra/doc) is no substitute:
//   - It skips help topics, which are the pages of sections 5 and 7.
//   - It reads descriptions as Markdown, so * and _ in patterns disappear.
//   - It has no section for the exit status.
//   - It needs two more modules (go-md2man, blackfriday); this package has 600 lines.
package manual
