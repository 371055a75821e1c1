// Package replica runs something that must go on somewhere, and at one place only.
//
// What runs is a [Machine]: it takes records of a log in order and says something. It
// asks no clock and rolls no dice, so that whoever runs it from the same snapshot over
// the same records says the same, in the same order. On that stands all that is promised:
//
//   - Nothing is lost: who takes over begins with the last snapshot and takes every
//     record since.
//   - Nothing is said twice: what a machine says is numbered, and stands in a log on a
//     subject of its own. Who takes over reads there how far it has come, and skips that.
//   - Nobody speaks out of turn: a record is put behind the last one that its writer
//     knows of. Who takes over begins with a claim; one that was paused meanwhile and
//     does not know of its loss puts its record behind an older one, and is refused.
//
// The lease decides who runs a machine; the log decides whose word counts.
package replica
