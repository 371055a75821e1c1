// Package upkeep maintains an array while it is served: it rebuilds members, replaces lost
// members by spares, scrubs on a schedule or on a command, and ends the masks of members
// that have recovered.
//
// One job runs at a time, at a pace that leaves the drives to readers. A rebuild comes
// before a scrub, which continues afterwards where it was. Both continue in the next
// process. Read keeper.go first; control.go has the socket for commands.
package upkeep
