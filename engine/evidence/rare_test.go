package evidence

import (
	"bufio"
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/quantile"
)

// rareNats are the evidences at which false alarms are counted. A suspect needs 15.6 nats, and an
// incident of a large system 24.
var rareNats = []float64{9, 12, 15.6, 18, 21, 24}

var (
	perseus = flag.String("perseus", "", "directory of a PERSEUS cluster, whose healthy drives TestRareFalseAlarmsOfDrives draws from")
	ill     = flag.String("perseus.ill", "host_22/disk11,host_25/disk8,host_5/disk5", "drives that are labelled as slow")
)

// TestRareFalseAlarms: the promise of TestFalseAlarms holds at the evidence that suspects and
// incidents need, too, where no simulation would wait for chance. The test counts in levels
// (multilevel splitting): it keeps the states in which a healthy member reached the evidence of
// one level, and continues each of them many times with other noise. The share that reaches the
// next level, times the rate of this level, is the rate of the next level.
func TestRareFalseAlarms(t *testing.T) {
	for _, tt := range []struct {
		name  string
		keeps float64 // noise of the step before that is kept
		heavy bool    // noise with a heavy tail
	}{{"independent", 0, false}, {"keeps 0.5", 0.5, false}, {"keeps 0.9", 0.9, false}, {"heavy tail", 0, true}} {
		countRare(t, tt.name, func(seed uint64) *rack {
			r := newRack(seed, 12, 0.3, tt.keeps)
			r.heavy = tt.heavy
			return r
		})
	}
}

// TestRareFalseAlarmsOfDrives counts the same for real healthy drives. Each member of a group lives
// through hours of drives that are drawn by chance. So an hour keeps its bursts and drifts, and
// there are more hours than were recorded.
func TestRareFalseAlarmsOfDrives(t *testing.T) {
	if *perseus == "" {
		t.Skip("no directory of a PERSEUS cluster: -perseus")
	}
	blocks := healthyHours(t, *perseus)
	t.Logf("%d hours of healthy drives", len(blocks))
	countRare(t, "of "+filepath.Base(*perseus), func(seed uint64) *rack {
		r := newRack(seed, 12, 0, 0)
		r.blocks, r.now = blocks, make([][]float32, 12)
		return r
	})
}

// countRare compares the rates at which healthy members reach the levels with the promised rates.
func countRare(t *testing.T, name string, draw func(seed uint64) *rack) {
	t.Helper()
	trials := 1000
	if testing.Short() {
		trials = 200
	}
	reached, steps := entrances(draw, rareNats[0])
	rate := float64(len(reached)) / steps
	rng := rand.New(rand.NewPCG(7, 7))
	for i, level := range rareNats {
		times := rate / math.Exp(-level)
		t.Logf("noise %s: healthy members reach %g nats %.2g times as often as promised", name, level, times)
		if times > 1 {
			t.Errorf("noise %s: healthy members reach %g nats %.2g times as often as promised", name, level, times)
		}
		if i == len(rareNats)-1 || len(reached) == 0 {
			break
		}
		var next []*trial
		for range trials {
			if x := reached[rng.IntN(len(reached))].again(rng.Uint64()); x.reaches(rareNats[i+1]) {
				next = append(next, x)
			}
		}
		rate *= float64(len(next)) / float64(trials)
		reached = next
	}
}

// trial is a rack in which a healthy member has some evidence.
type trial struct {
	*rack
	member int
}

// entrances returns racks in the step in which a healthy member reaches an evidence, and the number
// of steps of all members that were watched for it. The racks learn for a day of 15 s before.
func entrances(draw func(seed uint64) *rack, nats float64) (reached []*trial, steps float64) {
	racks, learned, watched := 8, 5760, 20_000
	if testing.Short() {
		racks = 2
	}
	for seed := range uint64(racks) {
		r := draw(100 + seed)
		members := len(r.values)
		for range learned {
			r.next()
		}
		raised := make([]bool, members)
		for range watched {
			r.next()
			for c := range members {
				switch {
				case !r.HasExcursion(c):
					raised[c] = false
				case !raised[c] && r.Evidence(c, 0) >= nats:
					raised[c] = true
					reached = append(reached, &trial{r.clone(0), c})
				}
			}
		}
		steps += float64(members * watched)
	}
	return reached, steps
}

// again returns a copy of a trial that continues with other noise.
func (x *trial) again(seed uint64) *trial { return &trial{x.clone(seed), x.member} }

// reaches continues until the member reaches an evidence, or is like its peers.
func (x *trial) reaches(nats float64) bool {
	for x.HasExcursion(x.member) {
		if x.Evidence(x.member, 0) >= nats {
			return true
		}
		x.next()
	}
	return false
}

// clone returns a rack that continues from the same state with noise of another seed.
func (r *rack) clone(seed uint64) *rack {
	m := *r.Monitor
	m.walks, m.inExcursion, m.groups = slices.Clone(m.walks), slices.Clone(m.inExcursion), slices.Clone(m.groups)
	m.mixed, m.isMixed = slices.Clone(m.mixed), slices.Clone(m.isMixed)
	c := *r
	c.Monitor, c.rng, c.values, c.now = &m, rand.New(rand.NewPCG(seed, 1)), slices.Clone(r.values), slices.Clone(r.now)
	return &c
}

// healthyHours returns the hours of the healthy drives of a PERSEUS cluster without gaps: 240 steps
// of 15 s, each the logarithm of the drive's latency divided by the median of its host.
func healthyHours(t *testing.T, dir string) (hours [][]float32) {
	t.Helper()
	const steps = 240
	files, err := filepath.Glob(filepath.Join(dir, "host_*", "*.csv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no files of hosts: %v", dir, err)
	}
	for _, file := range files {
		host := filepath.Base(filepath.Dir(file))
		rows := latencies(t, file)
		present := map[string][]float32{}
		last := int64(0)
		for _, at := range slices.Sorted(maps.Keys(rows)) {
			if at != last+1 {
				clear(present)
			}
			last = at
			middle := quantile.Median(slices.Collect(maps.Values(rows[at])))
			for disk := range present {
				if _, there := rows[at][disk]; !there {
					delete(present, disk)
				}
			}
			for disk, x := range rows[at] {
				if strings.Contains(","+*ill+",", ","+host+"/"+disk+",") || len(rows[at]) < 3 {
					continue
				}
				if present[disk] = append(present[disk], float32(math.Log(x/middle))); len(present[disk]) == steps {
					hours = append(hours, present[disk])
					delete(present, disk)
				}
			}
		}
	}
	slices.SortFunc(hours, slices.Compare[[]float32])
	return hours
}

// latencies reads the latencies of a file: by step of 15 s and drive.
func latencies(t *testing.T, file string) map[int64]map[string]float64 {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows := map[int64]map[string]float64{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		cells := strings.Split(lines.Text(), ",")
		at, err := strconv.ParseInt(cells[0], 10, 64)
		if err != nil || len(cells) < 4 {
			continue // the heading
		}
		if x, err := strconv.ParseFloat(cells[3], 64); err == nil && x > 0 {
			if rows[at/15] == nil {
				rows[at/15] = map[string]float64{}
			}
			rows[at/15][strings.Trim(cells[1], `"`)] = x
		}
	}
	return rows
}
