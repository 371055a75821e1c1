package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// sixDrives is a recording of six drives of one server, each second of which has counters and the
// latency of every request. A drive serves one request at a time, for about 4 ms, and gets 50
// requests a second at random times. After an hour the third drive changes.
type sixDrives struct {
	times float64 // ratio of the service time of the changed drive to the others'
	load  float64 // ratio of its requests
	share float64 // share of its requests that are delayed after they have been served
	slow  float64 // length of the delay, in ms

	meanMs [numDrives]float64 // mean time of a request after the change
}

const (
	numDrives     = 6
	changedDrive  = 2
	changeSeconds = 3600
	lastSecond    = 3 * 3600
)

// write writes the recording as an activity file.
func (r *sixDrives) write(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	begin := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	o := sysstat.DefaultWriterOptions()
	o.Hostname, o.Created = "nas1", begin
	o.Custom = []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
	w, err := sysstat.NewWriter(f, o)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(11, 12))
	var disks [numDrives]sysstat.Disk
	var arrives, free, ticks, busy, sum, requests [numDrives]float64
	for second := range lastSecond + 1 {
		raw := blklat.AppendHead(nil, 7, uint64(second+1), numDrives)
		for d := range disks {
			disk := &disks[d]
			disk.Major, disk.Minor = 8, uint32(16*d)
			times, load, share := 1.0, 50.0, 0.0
			if d == changedDrive && second > changeSeconds {
				times, load, share = r.times, 50*r.load, r.share
			}
			var counts [blklat.Buckets]uint32
			n := uint64(0)
			for ; arrives[d] < 1e3*float64(second); arrives[d] += rng.ExpFloat64() * 1e3 / load {
				works := times * 3.84 * math.Exp(0.3*rng.NormFloat64())
				free[d] = max(arrives[d], free[d]) + works
				took := free[d] - arrives[d]
				if rng.Float64() < share {
					took += r.slow
				}
				counts[blklat.Bucket(uint64(took*1e6))]++
				n++
				ticks[d], busy[d] = ticks[d]+took, busy[d]+works
				if second > changeSeconds {
					sum[d], requests[d] = sum[d]+took, requests[d]+1
				}
			}
			disk.IOs += n
			disk.ReadSectors += 8 * n
			disk.ReadTicks, disk.BusyTicks, disk.QueueTicks = uint32(ticks[d]), uint32(busy[d]), uint32(ticks[d])
			item := blklat.Item{Major: 8, Minor: disk.Minor, Op: blklat.Read, Bytes: 4096 * n}
			for b, x := range counts {
				if x > 0 {
					item.Device = append(item.Device, blklat.Count{Bucket: uint16(b), Requests: x})
				}
			}
			if n > 0 {
				item.Queue = blklat.Histogram{{Requests: uint32(n)}}
				raw = blklat.AppendItem(raw, &item)
			}
		}
		s := &sysstat.Sample{CPUs: make([]sysstat.CPU, 2), Disks: disks[:], Custom: [][]byte{raw}}
		if err := w.WriteStats(begin.Add(time.Duration(second)*time.Second), uint64(360_000+100*second), s); err != nil {
			t.Fatal(err)
		}
	}
	for d := range sum {
		r.meanMs[d] = sum[d] / requests[d]
	}
}

// ratio returns how many times longer the requests of the changed drive took than those of its
// peers, after the change.
func (r *sixDrives) ratio() float64 {
	peers := slices.Delete(slices.Clone(r.meanMs[:]), changedDrive, changedDrive+1)
	slices.Sort(peers)
	return r.meanMs[changedDrive] / peers[len(peers)/2]
}

// problem is an incident or a suspect, as far as a document has it.
type problem struct {
	ID, Class, Kind string
	Place           struct{ Name string }
	Times           float64 `json:"times_slower"`
	Low             float64 `json:"least_times_slower"`
	High            float64 `json:"most_times_slower"`
	Members         []struct {
		Load float64 `json:"load_times"`
	}
	Evidence []struct {
		Metric     string
		Own, Peers float64
	}
	RuledOut []struct{ What string } `json:"ruled_out"`
	Headline string
}

// value returns the value of the drive and of its peers in a metric of the evidence.
func (p *problem) value(metric string) (own, peers float64) {
	for _, e := range p.Evidence {
		if e.Metric == metric {
			return e.Own, e.Peers
		}
	}
	return math.NaN(), math.NaN()
}

// diagnosedBy diagnoses files with a step, and returns the incidents and the number of suspects.
func diagnosedBy(t *testing.T, step int, topology, file string) (incidents []problem, suspects int) {
	t.Helper()
	var out, errs bytes.Buffer
	args := []string{"diagnose", "-o", "json", "--step", fmt.Sprint(step), "--topology", topology, file}
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	var told struct{ Incidents, Suspects []problem }
	if err := json.Unmarshal(out.Bytes(), &told); err != nil {
		t.Fatal(err)
	}
	return told.Incidents, len(told.Suspects)
}

// slowShare returns the share of slow requests of a slow tail.
func slowShare(p *problem) float64 {
	own, _ := p.value("slow requests")
	return own
}

// TestAnyStep: a recording of one changed drive gives one incident with the same place, kind, ID and
// size at steps of 1, 5, 15 and 60 seconds. The interval of the size at each step contains the size
// at every other step, and the truth.
func TestAnyStep(t *testing.T) {
	for name, tt := range map[string]struct {
		sixDrives
		class, kind string
		size        func(*problem) float64 // size of the problem where it is not a ratio of times
		within      float64                // largest ratio between two sizes
	}{
		"three times slower": {sixDrives{times: 3, load: 1}, "slow", "slow drive", nil, 0},
		"1 in 2 throttled":   {sixDrives{times: 1, load: 0.05, share: 0.5, slow: 95}, "slow", "slow drive", nil, 0},
		"1 in 10 delayed":    {sixDrives{times: 1, load: 1, share: 0.1, slow: 50}, "tail", "slow tail", slowShare, 1.25},
		"1 in 200 delayed":   {sixDrives{times: 1, load: 1, share: 0.005, slow: 50}, "tail", "slow tail", slowShare, 1.25},
		"four times the load": {sixDrives{times: 1, load: 4}, "load", "workload imbalance", func(p *problem) float64 {
			own, peers := p.value("time of a request")
			return own / peers
		}, 1.1},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.share == 0.005 && testing.Short() {
				t.Skip("make test-full: one in ten has the same rule")
			}
			t.Parallel()
			dir := t.TempDir()
			file, topology := filepath.Join(dir, "nas1.sa"), filepath.Join(dir, "site.yaml")
			tt.write(t, file)
			if err := os.WriteFile(topology, []byte("servers: nas1\ndrives:\n  - servers: nas1\n    devices: sd[a-f]\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			var all []problem
			steps := []int{1, 5, 15, 60}
			if testing.Short() {
				steps = []int{1, 15, 60}
			}
			for _, step := range steps {
				found, suspects := diagnosedBy(t, step, topology, file)
				if len(found) != 1 || suspects > 0 {
					t.Fatalf("step %d: %d incidents, %d suspects: %+v", step, len(found), suspects, found)
				}
				p := &found[0]
				t.Logf("step %d: %s [%s] %s: %s; %.3g times slower (%.3g to %.3g)", step, p.Place.Name, p.ID, p.Kind, p.Headline, p.Times, p.Low, p.High)
				if p.Class != tt.class || p.Kind != tt.kind || p.Place.Name != "nas1/sdc" {
					t.Errorf("step %d: %s (%s) of %s, want a %s", step, p.Kind, p.Class, p.Place.Name, tt.kind)
				}
				for _, x := range p.RuledOut {
					if p.Class == "slow" && strings.HasPrefix(x.What, "a slow") {
						t.Errorf("step %d: %s is ruled out", step, x.What)
					}
				}
				all = append(all, *p)
			}
			for i := range all {
				for j := range all {
					switch a, b := &all[i], &all[j]; {
					case a.ID != b.ID:
						t.Errorf("IDs %s and %s", a.ID, b.ID)
					case tt.size != nil:
						if ratio := tt.size(a) / tt.size(b); !(ratio <= tt.within) {
							t.Errorf("sizes %g and %g", tt.size(a), tt.size(b))
						}
					case a.Times < b.Low || a.Times > b.High:
						t.Errorf("%g times slower, and at another step %g to %g", a.Times, b.Low, b.High)
					}
				}
				if truth := tt.ratio(); tt.size == nil && (truth < all[i].Low || truth > all[i].High) {
					t.Errorf("%g to %g times slower, and %g in truth", all[i].Low, all[i].High, truth)
				}
			}
		})
	}
}
