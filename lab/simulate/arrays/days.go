package arrays

import (
	"math"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

// This file draws the normal work of a system like Intrepid. No recording of Intrepid is available.
// The kinds of jobs are those of such a machine: a job on the full machine writes 40 GB/s, 35 MiB/s
// for each LUN. The frequencies follow the descriptions of L13.

// intrepidKinds are the kinds of jobs, with the load that a job puts on each LUN.
var intrepidKinds = []Job{
	{Name: "checkpoint", Writes: Flow{PerSecond: 20, KiB: 1024}, Burst: 3 * time.Minute, Pause: 27 * time.Minute},
	{Name: "full machine", Writes: Flow{PerSecond: 40, KiB: 1024}, Burst: 6 * time.Minute, Pause: 54 * time.Minute},
	{Name: "read in", Reads: Flow{PerSecond: 20, KiB: 1024}, Burst: 10 * time.Minute, Pause: 50 * time.Minute},
	{Name: "analysis", Reads: Flow{PerSecond: 30, KiB: 128}, Writes: Flow{PerSecond: 4, KiB: 128}},
	{Name: "small files", Reads: Flow{PerSecond: 12, KiB: 16}, Writes: Flow{PerSecond: 8, KiB: 16}},
	{Name: "transfer", Reads: Flow{PerSecond: 3, KiB: 1024}, Writes: Flow{PerSecond: 1.5, KiB: 1024}},
	{Name: "interactive", Reads: Flow{PerSecond: 1.5, KiB: 16}, Writes: Flow{PerSecond: 0.5, KiB: 16}},
}

// Jobs begin about every quarter of an hour and do I/O for an hour. In busy hours they begin more
// often, and at times hardly at all (L13 §4.2: periods of inactivity; §5.2.1: half a day until a
// workload shows a fault).
const (
	intrepidEvery    = 15 * time.Minute
	intrepidShortest = 10 * time.Minute
	intrepidMean     = time.Hour
	activityPeriod   = 6 * time.Hour // length of a busy or a quiet period
	activitySpread   = 0.8
)

// intrepidJobs draws the jobs of the scenario and of the hours before it.
func intrepidJobs(s *Scenario) []Job {
	var jobs []Job
	rng := s.source("jobs")
	for at := s.Start.Add(-activityPeriod); at.Before(s.End); at = at.Add(activityPeriod) {
		every := times(intrepidEvery, math.Exp(activitySpread*rng.NormFloat64()))
		first := at.Add(times(every, rng.ExpFloat64()))
		jobs = append(jobs, schedule(rng, intrepidKinds, first, at.Add(activityPeriod), every, intrepidShortest, intrepidMean)...)
	}
	return jobs
}

// Frequencies and strengths of harmless events. Now and then a LUN has a workload of its own. Of
// eleven thousand drives, about one a day is replaced, at 3 % a year, and its LUN is rebuilt.
// Controllers check one LUN after another.
const (
	hotPerLUN     = 1.0 / 24 // per LUN and day
	rebuildPerLUN = 10 * 0.03 / 365
	checkPerLUN   = 1.0 / 12
	rebuildSlow   = 1.25
	checkSlow     = 1.1
)

// passing draws the harmless events of normal days.
func passing(s *Scenario, system *topology.System, quiet bool) []Event {
	rng := s.source("passing events")
	luns := float64(len(system.LUNs))
	pick := func() string { return system.LUNs[rng.IntN(len(system.LUNs))] }
	var events []Event
	add := func(perLUN float64, shortest, longest time.Duration, m func() Mechanism) {
		for _, at := range rng.Sometimes(perLUN*luns, s.Start, s.End) {
			lasts := shortest + times(longest-shortest, rng.Float64())
			events = append(events, Event{at, earlier(at.Add(lasts), s.End), m()})
		}
	}
	add(checkPerLUN, 20*time.Minute, 40*time.Minute, func() Mechanism {
		return SlowLUN{LUN: pick(), Factor: checkSlow, Chore: "being checked"}
	})
	if quiet {
		return events
	}
	add(hotPerLUN, 5*time.Minute, 25*time.Minute, func() Mechanism { return hot(rng, pick()) })
	add(rebuildPerLUN, 2*time.Hour, 8*time.Hour, func() Mechanism {
		return SlowLUN{LUN: pick(), Factor: rebuildSlow, Chore: "rebuilding a drive"}
	})
	return append(events, serverWork(s, system)...)
}

// hot returns a file that is read or written on one LUN.
func hot(rng random, lun string) Mechanism {
	asked := Flow{PerSecond: 10 * math.Exp(0.7*rng.NormFloat64()), KiB: []float64{16, 128, 1024}[rng.IntN(3)]}
	if rng.IntN(2) == 0 {
		return BusyLUN{LUN: lun, Reads: asked, Passing: true}
	}
	return BusyLUN{LUN: lun, Writes: asked, Passing: true}
}

// From time to time, GPFS itself reads through a server for days, less than 10 kB/s from each LUN
// (L13 §5.3.2).
const (
	workShortest, workLongest = 24 * time.Hour, 96 * time.Hour
	workPause                 = 60 * time.Hour
)

var gpfsWork = Flow{PerSecond: 0.8, KiB: 8}

// serverWork draws the servers that do work of their own, and when.
func serverWork(s *Scenario, system *topology.System) []Event {
	var events []Event
	rng := s.source("server work")
	for at := s.Start.Add(-workLongest); at.Before(s.End); {
		at = at.Add(times(workPause, rng.ExpFloat64()))
		ends := at.Add(workShortest + times(workLongest-workShortest, rng.Float64()))
		server := system.Servers[rng.IntN(len(system.Servers))]
		if at.Before(s.End) && ends.After(s.Start) {
			events = append(events, Event{later(at, s.Start), earlier(ends, s.End), ServerWork{Server: server, Flow: gpfsWork, Everywhere: true}})
		}
		at = ends
	}
	return events
}
