// Package manual is the reference that limpet has with it: topics for limpet help,
// and man pages of commands and topics, made of what the commands say of
// themselves, so that the two cannot differ.
//
// Texts are plain: a line that begins with # is a heading, lines that are indented
// by four are printed as they are, other lines make paragraphs. The same input gives
// the same bytes: the date of a page is its caller's.
package manual
