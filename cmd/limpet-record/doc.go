// Command limpet-record records the activity of a server, as limpet record does. It contains no
// code of the analysis, so it is small enough to audit before it is installed on file servers (L13
// §6).
package main
