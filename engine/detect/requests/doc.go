// Package requests finds components that have more slow requests, or more requests, than their
// peers. It remembers the requests of every component as latency histograms and sums. It compares
// these requests with the requests of the component's peers, and gives the component one of four
// verdicts:
//
//   - shifted: its requests in general take longer, not only a small part of them. The finding has
//     class finding.Slow.
//   - part delayed: most of its requests are as fast as the requests of the peers, but a part of
//     them takes far longer. A mean hides such requests: if one request in two hundred takes 50 ms,
//     the mean grows by a quarter of a millisecond (T16: tails). The finding has class
//     finding.Tail.
//   - queued: its requests wait longer only because there are more of them. The device is as fast
//     as the devices of the peers, so the finding is harmless. It has class finding.Load.
//   - healthy: none of the other three verdicts.
//
// In every tick, Detector.compareSlow counts the slow requests of a component. A slow request takes
// longer in the device than nearly all requests of the peers. The share of such requests at the
// peers gives the number of slow requests that is expected of the component. The logarithm of
// counted/expected is one step of a sequential test (package evidence).
// criteria.Options.FalseIncidentsPerYear and FalseSuspectsPerDay are the false-alarm rates of this
// test (criteria.Options.Evidence). If the test finds that a component has too many slow requests,
// the verdict is shifted or part delayed: episode.verdict decides from the share of slow requests,
// and from their share of the extra time.
//
// Detector.followQueue decides whether a component is queued, by fixed ratios to the peers. It does
// not compute the wait from the load, but uses the measured wait and the measured time in the
// device. There is no statistical test and no false-alarm rate. Instead, the problem is an incident
// only after the load has lasted for criteria.Options.BurstSeconds.
//
// Package slow compares mean latencies. It works for all sources of data, also for sources without
// histograms. If both packages have a finding about a component, the engine merges them
// (engine/components.go).
//
// Read detector.go first, then episode.go, queue.go and findings.go.
package requests
