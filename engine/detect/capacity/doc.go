// Package capacity finds components that have reached a limit: a file system without room, a drive
// or volume whose rate is throttled, and a drive that is so hot that it protects itself.
//
// In: rows. Room and heat are in table.Standing, which only the files of limpet-record have; rates
// and waits are judged for the components of such servers alone. Out: findings of class
// finding.Capacity, at the end of each tick.
//
// Room and heat are facts, which need no comparison with peers. A file system with little room is found if
// it is filling, or if hardly anything is left: an archive that was filled on purpose is none. A throttle shows as a rate that stands
// still while requests wait: for minutes the component serves the same number of requests or bytes
// each tick, never more, and requests wait far longer than they do below that rate. No workload keeps
// its rate to a fiftieth while the wait swings.
//
// Read detector.go, then throttle.go.
package capacity
