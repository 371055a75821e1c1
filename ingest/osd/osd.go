// Package osd has the code for OSDs of Ceph that several sources share. It defines how an activity
// file stores the counters of an OSD, and how OSDs with different requests are compared.
//
// An OSD counts its reads and its commits. An activity file has only one number of requests for
// each device. So a file stores an OSD as two devices, such as osd.5.read and osd.5.commit.
//
// Reads are faster than commits, and OSDs have different shares of reads. In a replicated pool, only
// the primary OSD of an object serves reads of the object. So latencies are standardised:
//
//	standardised latency = median latency of the peers × time of the requests / time at the peers
//
// The time of the requests is the time that the requests of the OSD took. The time at the peers is
// the time that the same requests would have taken with the median latencies of the peers.
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

// NameOf returns the name of the OSD that a device of an activity file belongs to. The second
// result is 0 if the device stands for the reads of the OSD, and 1 if it stands for the commits.
func NameOf(device string) (name string, kind int) {
	if name, ok := strings.CutSuffix(device, commitSuffix); ok {
		return name, 1
	}
	return strings.TrimSuffix(device, readSuffix), 0
}

// Times has the number of some requests, and the sum of their durations in seconds.
type Times struct{ Count, Seconds float64 }

// ms returns the mean duration of a request in milliseconds. The result `ok` is false if there is
// no request.
func (t Times) ms() (ms float64, ok bool) {
	if t.Count <= 0 || t.Seconds < 0 {
		return 0, false
	}
	return t.Seconds / t.Count * 1e3, true
}

// Requests has the requests of an OSD in a period of time: its reads, its commits, and the
// operations that waited in its queue. Queue is empty if the source does not count these
// operations.
type Requests struct{ Read, Commit, Queue Times }

// Latencies returns the standardised latency of each OSD in milliseconds. The OSDs must be peers of
// each other. The latency of an OSD without requests is NaN.
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

// seconds returns the sum of the durations of all requests, in seconds.
func (r *Requests) seconds() float64 {
	return r.Read.Seconds + r.Commit.Seconds + max(r.Queue.Seconds, 0)
}
