package arrays

import (
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

func blueprint() *lunBlueprint {
	start := time.Date(2026, time.March, 1, 0, 0, 5, 0, time.UTC)
	return &lunBlueprint{Seed: 1, Start: start, End: start.Add(24 * time.Hour), Interval: 15 * time.Second, Service: defaultService()}
}

// TestCells wants in one cell what is connected, however far around.
func TestCells(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want [][]string
	}{
		"arrays apart": {
			"servers: fs[1-4]\narrays:\n  - {names: 'ddn[1-2]', servers_per_array: 2, luns: 0-2, priority: rotate}\n",
			[][]string{{"fs1", "fs2"}, {"fs3", "fs4"}},
		},
		"arrays that share all": {
			"servers: fs[1-4]\narrays:\n  - {names: 'ddn[1-2]', luns: 0-2, priority: rotate}\n",
			[][]string{{"fs1", "fs2", "fs3", "fs4"}},
		},
		"arrays in a row": {
			"servers: fs[1-4]\narrays:\n  - {names: a, servers: 'fs3, fs4', luns: 0-2}\n  - {names: b, servers: 'fs1, fs3', luns: 0-2}\n  - {names: c, servers: 'fs4, fs1', luns: 0-2}\n",
			[][]string{{"fs1", "fs3", "fs4"}, {"fs2"}},
		},
		"drives": {
			"servers: box[1-2]\ndrives:\n  - {devices: 'sd[b-d]'}\n",
			[][]string{{"box1"}, {"box2"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			system, _, err := topology.Parse("t.yaml", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			var got [][]string
			luns := 0
			for _, c := range build(blueprint(), system) {
				var servers []string
				for _, s := range c.Servers {
					servers = append(servers, s.Name)
				}
				got = append(got, servers)
				luns += len(c.LUNs)
			}
			if !slices.EqualFunc(got, tt.want, slices.Equal[[]string]) || luns == 0 {
				t.Errorf("cells %v with %d LUNs, want %v", got, luns, tt.want)
			}
		})
	}
}

// TestRecordAfter wants times on the grid of records.
func TestRecordAfter(t *testing.T) {
	b := blueprint()
	for after, want := range map[time.Duration]time.Duration{-time.Hour: 0, 0: 0, 1: 15 * time.Second, 15 * time.Second: 15 * time.Second, 16 * time.Second: 30 * time.Second} {
		if got := b.RecordAfter(b.Start.Add(after)).Sub(b.Start); got != want {
			t.Errorf("the first record %v after the start is at %v, want %v", after, got, want)
		}
	}
}

// TestClock wants steps within reach, and never two records missed in a row.
func TestClock(t *testing.T) {
	b := blueprint()
	if perfect := newClock(b, "fs1"); len(perfect.steps)+len(perfect.missed) > 0 {
		t.Errorf("a perfect clock has %d steps and misses %d records", len(perfect.steps), len(perfect.missed))
	}
	b.Clocks = Clocks{Steps: 100, Misses: 900}
	c := newClock(b, "fs1")
	shown, missed, inRow := map[time.Duration]int{}, 0, 0
	for at := b.Start; at.Before(b.End); at = at.Add(b.Interval) {
		shown[c.Show(at).Sub(at)]++
		switch {
		case !c.Misses(at):
			inRow = 0
		case inRow > 0:
			t.Fatalf("two records in a row are missed, at %v", at)
		default:
			missed, inRow = missed+1, 1
		}
	}
	if len(shown) != 2*clockReach+1 || missed < 600 {
		t.Errorf("the clock is off by %v, %d records are missed", shown, missed)
	}
	for off := range shown {
		if off > clockReach*time.Second || off < -clockReach*time.Second {
			t.Errorf("the clock is off by %v", off)
		}
	}
	for _, bad := range []Clocks{{Steps: -1}, {Misses: 2000}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is valid", bad)
		}
	}
}

// TestBoot wants a server that was off to begin anew.
func TestBoot(t *testing.T) {
	b := blueprint()
	s := newServer(b, "fs1")
	s.begin()
	days := s.Uptime()
	at := func(m time.Duration) time.Time { return b.Start.Add(m * time.Minute) }
	s.Outages = []Span{{at(10), at(20)}, {at(40), at(45)}}
	off := 0
	for now := b.Start; now.Before(at(60)); now = now.Add(b.Interval) {
		s.follow(now, now.Add(b.Interval))
		if s.end(15, false); s.Off {
			off++
		}
		if now.Equal(at(30)) && (s.Uptime() != 615*100 || s.network.RxPackets > 1e6) {
			t.Errorf("ten minutes after its return the server is up for %d/100 s", s.Uptime())
		}
	}
	if off != 60 || s.Uptime() != 15*60*100 || days < 3*86400*100 {
		t.Errorf("off in %d intervals, then up for %d/100 s, before for %d/100 s", off, s.Uptime(), days)
	}
}
