// Package symptom finds the resource of a server that is at fault, from the metrics of
// its disks, interfaces and connections together.
//
// F10 compares one metric at a time, and so finds a fault on a server that only gets
// more requests than its peers. Here the metrics must agree. Load on a disk is a symptom
// only if no requests from the network caused it. Traffic is a symptom only if no disk
// read or wrote its data, and if its frames are too full for requests. Waiting is a
// symptom only if the work of the disk takes more time than the same work would take on
// its peers. Lost segments are a symptom only if they are lost one by one. No workload
// shows such symptoms, however uneven it is, so that no fault-free training is needed. A
// server that only gets more requests makes a harmless finding.
//
// Rows come in; at the end of each window findings go out. Detector.Push runs the steps:
// window.go compares components with their peers, disk.go, network.go and loss.go note
// signs, examiner.go rules out signs that half of the servers show and applies the
// k-of-2k−1 filter, and episode.go collects the signs of a server. An episode lasts from
// the first window with an odd sign until the server has been calm for as many windows
// as the filter holds. The strongest symptom of an episode names the fault
// (episode.fault). Bounds are fixed ratios to the peers and not a false-alarm rate
// (Options).
//
// Read detector.go first, then examiner.go and disk.go.
package symptom
