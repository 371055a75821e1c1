// Package stall finds components whose requests stand still.
//
// A component may stand still for so short a time that no window shows it, and
// so long that every application hangs: 103 s for two minutes (L13 §5.2.1, §7).
// Such steps are looked for in the rows themselves.
package stall
