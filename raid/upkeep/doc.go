// Package upkeep maintains an array while it is served: it rebuilds members, replaces lost
// members by spares, scrubs on a schedule or on a command, and ends the masks of members
// that have recovered.
//
// One job runs at a time, at a rate that leaves most of the drives to readers. A rebuild comes
// before a scrub; the scrub then continues where it stopped. After a restart, both continue too.
// Read keeper.go first; control.go has the socket for commands.
package upkeep
