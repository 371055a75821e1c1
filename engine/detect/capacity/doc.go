// Package capacity finds components that have reached a limit: a file system without free space, a
// drive or volume whose rate is throttled, and a drive that is so hot that it slows itself down.
//
// The input is rows. Free space and temperature come from table.ServerGauges, which only files of
// limpet-record contain. Rates and waiting times are judged only for servers with such files. The
// output is findings of class finding.Capacity, at the end of each tick.
//
// Free space and temperature need no comparison with peers. A file system with little free space is
// reported if its free space is shrinking, or if hardly any free space is left. So an archive that
// was filled on purpose is not reported. A component is throttled if its rate stays constant while
// requests wait. Two conditions must hold for minutes: every tick has the same number of requests
// or bytes, and requests wait far longer than at a lower rate. No workload keeps its rate constant
// within 2 % while the wait of its requests changes.
//
// Read detector.go, then throttle.go.
package capacity
