// Package pause finds servers that stand still for a second or more, again and again: they have
// work and do none.
//
// In: rows with table.Standing, which only the files of limpet-record have. Out: findings of class
// finding.Pause, at the end of each tick. A finding has the number of pauses in the last minutes,
// how long they lasted, and what the server waited for.
//
// A healthy server stands still now and then, as when memory is compacted or a log is rotated. So a
// pause alone is no finding. The detector compares the number of pauses with the number that a
// healthy server would have: the usual number, or the median of the peers in the same minutes if that
// is more. The evidence is the logarithm of the chance of as many pauses or more (Poisson), and the
// false-alarm rates of engine/criteria decide as for all other evidence. If all servers stand still
// together, the peers explain each of them, and there is no finding.
//
// Read detector.go.
package pause
