// Package osd has what the sources of OSDs of Ceph share: how the counters of an OSD stand in an
// activity file, and how OSDs with different requests are compared.
//
// An OSD counts its reads and its commits. An activity file has one number of requests for a device.
// So an OSD is two devices of a file: osd.5.read and osd.5.commit.
//
// Reads are faster than commits, and OSDs have different shares of both, because only primaries
// serve reads of replicated pools. So latencies are standardised: the latency of an OSD is the median
// latency of its peers, times the ratio of the time that its requests took to the time that the same
// requests would have taken at the medians of the peers.
package osd

import (
	"math"
	"strings"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// Ends of the names of the two devices of an OSD.
const (
	readSuffix   = ".read"
	commitSuffix = ".commit"
)

// Devices returns the names of the two devices of an OSD in an activity file, and their minor numbers.
func Devices(name string, number uint32) (names [2]string, minors [2]uint32) {
	return [2]string{name + readSuffix, name + commitSuffix}, [2]uint32{2 * number, 2*number + 1}
}

// Of returns the OSD that a device of an activity file belongs to. The second result is 0 for its
// reads and 1 for its commits.
func Of(device string) (name string, kind int) {
	if name, ok := strings.CutSuffix(device, commitSuffix); ok {
		return name, 1
	}
	return strings.TrimSuffix(device, readSuffix), 0
}

// Times are requests: how many, and how many seconds they took.
type Times struct{ Count, Seconds float64 }

// ms returns the mean in milliseconds; ok is false if there is no request.
func (t Times) ms() (ms float64, ok bool) {
	if t.Count <= 0 || t.Seconds < 0 {
		return 0, false
	}
	return t.Seconds / t.Count * 1e3, true
}

// Requests are the requests of an OSD in some time. Queue are the operations that waited in the queue
// of the OSD; it is empty where the source does not have them.
type Requests struct{ Read, Commit, Queue Times }

// Latencies returns the standardised latency of each OSD, in milliseconds, among OSDs that are peers.
// It is NaN for an OSD without requests.
func Latencies(all []Requests) []float64 {
	median := func(of func(*Requests) Times) float64 {
		var each []float64
		for i := range all {
			if ms, ok := of(&all[i]).ms(); ok {
				each = append(each, ms)
			}
		}
		if each == nil {
			return 0
		}
		return quantile.Median(each)
	}
	read := median(func(r *Requests) Times { return r.Read })
	commit := median(func(r *Requests) Times { return r.Commit })
	queue := median(func(r *Requests) Times { return r.Queue })
	typical := median(func(r *Requests) Times { return Times{r.Read.Count + r.Commit.Count, r.seconds()} })
	latencies := make([]float64, len(all))
	for i := range all {
		r := &all[i]
		latencies[i] = math.NaN()
		if atPeers := (r.Read.Count*read + r.Commit.Count*commit + r.Queue.Count*queue) / 1e3; atPeers > 0 {
			latencies[i] = typical * r.seconds() / atPeers
		}
	}
	return latencies
}

// seconds is the time that all requests took.
func (r *Requests) seconds() float64 {
	return r.Read.Seconds + r.Commit.Seconds + max(r.Queue.Seconds, 0)
}
