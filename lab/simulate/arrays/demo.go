package arrays

import (
	_ "embed"
	"fmt"
	"time"
)

//go:embed demo.yaml
var demoTopology []byte

// demoKinds are the kinds of jobs of the demonstration, with the load that a job puts on each LUN.
var demoKinds = []Job{
	{Name: "checkpoint", Writes: Flow{PerSecond: 90, KiB: 1024}, Burst: 3 * time.Minute, Pause: 4 * time.Minute},
	{Name: "read in", Reads: Flow{PerSecond: 60, KiB: 1024}},
	{Name: "analysis", Reads: Flow{PerSecond: 120, KiB: 128}, Writes: Flow{PerSecond: 10, KiB: 128}},
	{Name: "small files", Reads: Flow{PerSecond: 80, KiB: 16}, Writes: Flow{PerSecond: 50, KiB: 16}},
	{Name: "benchmark", Reads: Flow{PerSecond: 80, KiB: 512}, Writes: Flow{PerSecond: 80, KiB: 512}},
	{Name: "desktop", Reads: Flow{PerSecond: 4, KiB: 32}, Writes: Flow{PerSecond: 2, KiB: 32}},
}

// On average two jobs run, for 20 minutes each: mostly jobs overlap, and now and then no job runs.
const (
	demoEvery    = 10 * time.Minute
	demoShortest = 6 * time.Minute
	demoMean     = 20 * time.Minute
)

// Demo returns eight hours of a small system with three faults of different kinds, and with work of
// a server's own, which is no fault.
func Demo(seed uint64) *Scenario {
	day := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	// Five seconds past the hour, when L13's recorder starts a file (§4.1.1).
	start, end := day.Add(5*time.Second), day.Add(8*time.Hour)
	return &Scenario{
		Topology:   demoTopology,
		Seed:       seed,
		Start:      start,
		End:        end,
		Interval:   5 * time.Second,
		Service:    defaultService(),
		Busiest:    0.5,
		Shares:     map[string]Share{"new": {Reads: 0.5, Writes: 1.4}}, // emptier: fewer reads, more writes (L13 §3.3.1)
		Jobs:       schedule(source(seed, "jobs"), demoKinds, day, end, demoEvery, demoShortest, demoMean),
		Events:     demoEvents(day, end),
		Compressed: []string{"fs2", "fs4", "fs6", "fs8"},
	}
}

func demoEvents(day, end time.Time) []Event {
	at := func(hour float64) time.Time { return day.Add(times(time.Hour, hour)) }
	return []Event{
		{at(2), end, SlowLUN{LUN: "1.07", Factor: 3}},
		{at(3), end, FailedController{Controller: "ddn2a"}},
		{at(5), end, DrawerErrors{Array: "ddn1", LUNs: demoDrawer(), Every: 10 * time.Second, Retry: 400 * time.Millisecond}},
		{at(3.5), at(5), ServerWork{Server: "fs3", Flow: Flow{PerSecond: 0.8, KiB: 8}}},
	}
}

// demoDrawer returns the LUNs with a drive in the faulty drawer. They are half of the LUNs of the
// array and half of the LUNs of each of its servers, so the fault does not look like the fault of a
// server.
func demoDrawer() []string {
	var luns []string
	for lun := range 24 {
		if (lun+lun/4)%2 == 1 {
			luns = append(luns, fmt.Sprintf("1.%02d", lun))
		}
	}
	return luns
}
