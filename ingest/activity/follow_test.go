package activity

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// days records servers over midnight, each with a file a day, a reboot and a
// clock that is set back.
func days(t testing.TB, servers int) string {
	dir := t.TempDir()
	for i := range servers {
		host := fmt.Sprintf("fs%d", i+1)
		start := midnight.Add(-10 * time.Minute)
		day := recordTB(t, dir, host+"-1.sa", host, start, 3)
		day.varied(600, 5, uint64(i))
		next := recordTB(t, dir, host+"-2.sa", host, day.now, 3)
		next.disks, next.uptime = slices.Clone(day.disks), day.uptime
		next.write() // rotation writes the record into both files
		next.varied(300, 5, uint64(10+i))
		if i == 0 {
			next.reboot()
		}
		if i == 1 {
			next.now = next.now.Add(-20 * time.Second)
		}
		next.varied(600, 5, uint64(20+i))
	}
	return dir
}

func recordTB(t testing.TB, dir, name, host string, start time.Time, disks int) *recording {
	t.Helper()
	tt, ok := t.(*testing.T)
	if !ok {
		t.Fatal("tests only")
	}
	return record(tt, dir, name, host, start, disks)
}

// varied records for some seconds with load that differs by disk and time.
func (r *recording) varied(seconds, interval int, seed uint64) {
	r.t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	for range seconds / interval {
		r.now = r.now.Add(time.Duration(interval) * time.Second)
		r.uptime += uint64(interval) * 100
		for i := range r.disks {
			n := uint64(rng.IntN(1000))
			r.disks[i].IOs += n
			r.disks[i].ReadTicks += uint32(n) * uint32(1+rng.IntN(9))
		}
		r.write()
	}
}

func (r *recording) reboot() {
	r.t.Helper()
	if err := r.w.WriteRestart(r.now.Add(3*time.Second), 1); err != nil {
		r.t.Fatal(err)
	}
	r.now, r.uptime = r.now.Add(30*time.Second), 2000
	for i := range r.disks {
		r.disks[i] = sysstat.Disk{Major: 8, Minor: uint32(16 * i), IOs: 5}
	}
}

// TestFollowedRowsAreThoseOfOpen: the rows do not depend on how files are
// written.
func TestFollowedRowsAreThoseOfOpen(t *testing.T) {
	dir := days(t, 3)
	o := Options{Metrics: []string{"await"}}
	for _, seed := range []uint64{0, 1, 2} {
		t.Run(fmt.Sprint("pieces ", seed), func(t *testing.T) {
			th := newTheatre(t, dir, o)
			if seed > 0 {
				th.pieces = rand.New(rand.NewPCG(seed, 1))
			}
			th.begin()
			th.play(5)
			th.same()
		})
	}
}

// TestFollowedConnections: rows with the shares of clients are those of Open.
func TestFollowedConnections(t *testing.T) {
	dir := busyCluster(t, 30)
	for name, c := range map[string]struct {
		o      Options
		pieces *rand.Rand
	}{
		"by records": {o: Options{Metrics: network, StepSeconds: 1}},
		"by pieces":  {o: Options{Metrics: network, StepSeconds: 1}, pieces: rand.New(rand.NewPCG(1, 1))},
		"topology":   {o: Options{Metrics: slices.Concat(network, segmentMetrics), StepSeconds: 5, System: system(t, cluster)}},
		"wanted":     {o: Options{Metrics: []string{"await"}, Wanted: Wanted{Metrics: network, Finest: 1, WithinSeconds: 5}}},
	} {
		t.Run(name, func(t *testing.T) {
			th := newTheatre(t, dir, c.o)
			th.pieces = c.pieces
			th.begin()
			th.play(1)
			th.same()
		})
	}
}

// TestFollowedRestarts: after a restart at any row the rows continue as without
// it.
func TestFollowedRestarts(t *testing.T) {
	for name, dir := range map[string]string{"days": days(t, 3), "cluster": busyCluster(t, 30)} {
		o, tick := Options{Metrics: []string{"await"}}, int64(5)
		if name == "cluster" {
			o, tick = Options{Metrics: network, StepSeconds: 1}, 1
		}
		want := opened(t, dir, o)
		rng := rand.New(rand.NewPCG(18, 3))
		for range 3 {
			th := newTheatre(t, dir, o)
			th.begin()
			for th.clock < th.last() {
				th.until(th.clock+tick*(3+rng.Int64N(40)), tick)
				th.restart()
			}
			th.play(tick)
			sameRows(t, th.rows, want)
		}
	}
}
