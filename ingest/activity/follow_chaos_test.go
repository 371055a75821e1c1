package activity

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// season records servers over several files each, with reboots, small steps of
// the clock, devices that come and go, lost records, and inventories.
func season(t *testing.T, rng *rand.Rand) string {
	dir := t.TempDir()
	for i := range 3 {
		host := fmt.Sprintf("fs%d", i+1)
		r := record(t, dir, host+"-0.sa", host, midnight.Add(time.Duration(rng.IntN(100))*time.Second), 3)
		for d := range r.disks {
			r.disks[d].WWN = [2]uint64{0x5000c50000000000 + uint64(10*i+d)}
		}
		for n := 1; n < 5; n++ {
			for range 1 + rng.IntN(3) {
				r.event(rng, i)
				r.varied(60+5*rng.IntN(40), 5, rng.Uint64())
			}
			next := record(t, dir, fmt.Sprintf("%s-%d.sa", host, n), host, r.now, 0)
			next.disks, next.uptime = slices.Clone(r.disks), r.uptime
			next.write()
			r = next
		}
		r.varied(100, 5, rng.Uint64())
	}
	return dir
}

// event makes one random thing happen to a server.
func (r *recording) event(rng *rand.Rand, server int) {
	r.t.Helper()
	switch rng.IntN(7) {
	case 0:
		disks := slices.Clone(r.disks)
		r.reboot()
		for i := range disks {
			disks[i].IOs, disks[i].ReadTicks = 5, 5
		}
		r.disks = disks
	case 1:
		r.now = r.now.Add(-time.Duration(rng.IntN(15)) * time.Second)
	case 2:
		n := rng.Uint32N(200)
		r.disks = append(r.disks, sysstat.Disk{Major: 65, Minor: 16 * n, IOs: 7, WWN: [2]uint64{0x5000c50000001000 + uint64(server)*1000 + uint64(n)}})
	case 3:
		if len(r.disks) > 2 {
			r.disks = slices.Delete(r.disks, 0, 1)
		}
	case 4: // no records for a while
		gap := rng.IntN(50)
		r.now, r.uptime = r.now.Add(time.Duration(gap)*time.Second), r.uptime+uint64(100*gap)
	case 5:
		if err := r.w.WriteComment(r.now, fmt.Sprintf("addr 10.0.0.%d eth0", server)); err != nil {
			r.t.Fatal(err)
		}
	}
}

// TestFollowedChaos: with random events on servers, files and the following
// process, the rows are those of Open.
func TestFollowedChaos(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { chaos(t, seed) })
	}
}

func chaos(t *testing.T, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 18))
	th := newTheatre(t, season(t, rng), Options{Metrics: []string{"await"}})
	if rng.IntN(2) == 0 {
		th.pieces = rng
	}
	th.follow.LateSeconds = 900
	th.clock += rng.Int64N(300)
	th.write()
	th.begin()
	for th.clock < th.last() {
		th.until(th.clock+5*rng.Int64N(20), 5)
		p := th.tapes[rng.IntN(len(th.tapes))]
		_, err := os.Stat(th.path(p.name))
		whole := err == nil && p.at == len(p.bytes)
		switch n := rng.IntN(6); {
		case n == 0:
			th.restart()
		case n == 1 && err == nil && !whole && p.at > 2000:
			th.tear(p, 1+rng.IntN(100))
			th.look()
			th.repair(p)
		case n == 2 && whole && !strings.HasSuffix(p.name, ".zst"):
			th.packed(p.name)
			p.name += ".zst"
		case n == 3 && err == nil:
			th.must(os.Rename(th.path(p.name), th.path("moved-"+p.name)))
			p.name = "moved-" + p.name
		case n == 4 && err == nil && !strings.HasSuffix(p.name, ".zst"):
			th.must(os.WriteFile(th.path(".copy"), p.bytes[:p.at], 0o644))
			th.must(os.Rename(th.path(".copy"), th.path(p.name)))
		}
		th.look()
	}
	th.play(5)
	th.same()
}
