// Package page writes a self-contained HTML page: sections of prose, tables and
// plots, with their data and script inlined.
//
// A page is evidence, and evidence outlives the server that showed it. So a page
// is one file that opens offline, asks nothing of any network and forbids itself
// to (its Content-Security-Policy admits only the scripts and styles written into
// it), and the same content gives the same bytes. Names come from the systems
// under study and are taken to be hostile. Missing is never drawn as zero.
//
// The package stands at the end of the stream, beside the stages rather than
// after them: whoever has something to show builds a page from plain numbers. It
// knows nothing of storage.
package page
