// Package presets are descriptions of tables that people have: what iostat, sar
// and other tools print, ready to be used by name.
//
// A preset is a description like any other, in a file beside this one. Its
// first line says what it is for; the lines after it which command prints it.
// Whoever needs another zone or other peers copies it and changes it.
package presets
