package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// limitsWorld is six file servers with two drives each. All drives do random work, and recorders
// measure how long servers stand still.
type limitsWorld struct {
	e     *engine.Engine
	row   *table.Row
	rng   *rand.Rand
	begin int64
}

const (
	limitsServers = 6
	limitsDrives  = 2 // of each server
)

func newLimitsWorld(t *testing.T, step int64) *limitsWorld {
	t.Helper()
	s, _, err := topology.Parse("six.yaml", []byte("servers: s[1-6]\ndrives:\n  - devices: sd[a-b]\nhosts: s[1-6]\n"))
	if err != nil {
		t.Fatal(err)
	}
	schema := table.Schema{
		StepSeconds: step, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await}, Components: len(s.Components), Servers: len(s.Servers), Load: 0,
	}
	e, err := engine.New(engine.DefaultOptions(), s, schema, nil, engine.NoListener{})
	if err != nil {
		t.Fatal(err)
	}
	w := &limitsWorld{e: e, row: table.NewRow(schema), rng: rand.New(rand.NewPCG(7, uint64(step))), begin: start}
	w.row.End = start
	return w
}

// push pushes a row. The function changes it before.
func (w *limitsWorld) push(step int64, change func(row *table.Row)) {
	end := w.row.End + step
	w.row.Clear()
	w.row.End = end
	near := func(v, share float64) float64 { return v * (1 + share*(2*w.rng.Float64()-1)) }
	for s := range w.row.Gauges {
		w.row.Heard[s], w.row.Gauges[s].Known = true, true
	}
	for c := range limitsServers * limitsDrives {
		w.row.Values[0][c], w.row.Values[1][c], w.row.Values[2][c], w.row.Values[3][c] = near(100, 0.2), near(8000, 0.3), near(800, 0.3), near(5, 0.2)
	}
	change(w.row)
	w.e.Push(w.row)
}

// told lists the incidents of a summary that are no ruled-out work: kind and place.
func told(sum *engine.Summary) (list []string) {
	for i := range sum.Incidents {
		list = append(list, fmt.Sprintf("%s %s", sum.Incidents[i].Kind, sum.Incidents[i].Place.Name))
	}
	slices.Sort(list)
	return list
}

// still lets a server stand still for a second.
func still(row *table.Row, server int, cause table.Cause, began bool) {
	x := &row.Gauges[server]
	if x.PauseSeconds[cause] = 1; began {
		x.PausesBegan = 1
	}
}

// TestPauses: a server that stands still for two seconds of every thirty becomes one incident, whatever it waits
// for, with the number of pauses, their length and the cause. Servers that only look alike are not told.
func TestPauses(t *testing.T) {
	type tester struct {
		name  string
		want  string
		cause table.Cause
		row   func(row *table.Row, second int64)
	}
	var tests []tester
	for cause := range table.NumCauses {
		tests = append(tests, tester{"hangs: " + finding.PauseMeasurement(cause), "pauses s3", cause, func(row *table.Row, second int64) {
			if phase := second % 30; second >= 300 && phase < 2 {
				still(row, 2, cause, phase == 0)
			}
		}})
	}
	tests = append(tests,
		tester{name: "busy, and never still", row: func(row *table.Row, _ int64) {
			for c := 4; c < 6; c++ { // the drives of s3
				row.Values[0][c] *= 3
			}
		}},
		tester{name: "all at once, as the machine below them stops", row: func(row *table.Row, second int64) {
			for s := range limitsServers {
				if second%60 < 5 {
					still(row, s, table.ByCPU, second%60 == 0)
				}
			}
		}},
		tester{name: "all, one after the other", row: func(row *table.Row, second int64) {
			for s := range limitsServers {
				if phase := (second + 10*int64(s)) % 60; phase < 2 {
					still(row, s, table.ByProcess, phase == 0)
				}
			}
		}},
		tester{name: "a recorder that is stopped for half of each minute", row: func(row *table.Row, second int64) {
			if second%60 >= 30 {
				row.Gauges[2] = table.ServerGauges{}
			}
		}},
		tester{name: "a recorder that does not measure it", row: func(row *table.Row, _ int64) { row.Gauges[2] = table.ServerGauges{} }},
		tester{name: "one pause, of eight seconds", row: func(row *table.Row, second int64) {
			if second >= 500 && second < 508 {
				still(row, 2, table.ByMemory, second == 500)
			}
		}},
		tester{name: "a pause a quarter of an hour", row: func(row *table.Row, second int64) {
			if second%900 == 400 {
				still(row, 2, table.ByDisk, true)
			}
		}},
	)
	for _, tt := range tests {
		w := newLimitsWorld(t, 1)
		for second := range int64(1800) {
			w.push(1, func(row *table.Row) { tt.row(row, second) })
		}
		sum := w.e.Summary(incident.Combined)
		if got := strings.Join(told(&sum), ", "); got != tt.want {
			t.Errorf("%s: told %q, want %q", tt.name, got, tt.want)
			continue
		}
		if tt.want == "" {
			if len(sum.Suspects) > 0 {
				t.Errorf("%s: suspects %+v", tt.name, sum.Suspects)
			}
			continue
		}
		in := &sum.Incidents[0]
		if late := in.Confirmed - (w.begin + 300); late < 0 || late > 150 {
			t.Errorf("%s: an incident %d s after the first pause", tt.name, late)
		}
		if off := in.Onset.At - (w.begin + 300); off < -1 || off > 1 {
			t.Errorf("%s: the onset is %d s off", tt.name, off)
		}
		want := map[string]float64{finding.PauseCount: 20, finding.PauseLength: 2, finding.PauseWorst: 2, finding.PauseMeasurement(tt.cause): 40}
		for _, e := range in.Evidence {
			if v, ok := want[e.Metric]; ok && math.Abs(e.Own-v) > v/19 { // of the last ten minutes
				t.Errorf("%s: %s is %g, want %g", tt.name, e.Metric, e.Own, v)
			}
			delete(want, e.Metric)
		}
		if len(want) > 0 {
			t.Errorf("%s: evidence lacks %v", tt.name, want)
		}
	}
}

// TestPausesEnd: an incident about pauses is over some time after the last pause, and is the same incident when
// the pauses come back.
func TestPausesEnd(t *testing.T) {
	w := newLimitsWorld(t, 15)
	pauses := func(steps int, every int64) {
		for range steps {
			w.push(15, func(row *table.Row) {
				if every > 0 && row.End/15%every == 0 {
					still(row, 2, table.ByDisk, true)
				}
			})
		}
	}
	phase := func() string {
		sum := w.e.Summary(incident.Combined)
		if len(sum.Incidents) != 1 {
			return strings.Join(told(&sum), ", ")
		}
		return string(sum.Incidents[0].Phase)
	}
	pauses(40, 0)
	pauses(80, 2)
	if got := phase(); got != string(incident.Active) {
		t.Fatalf("with pauses: %s", got)
	}
	id := incidents(w.e)[0].ID
	pauses(3*240, 0)
	if got := phase(); got != string(incident.Cleared) {
		t.Fatalf("three hours after the last pause: %s", got)
	}
	pauses(80, 2)
	if got := phase(); got != string(incident.Active) || incidents(w.e)[0].ID != id || len(incidents(w.e)[0].Spans) != 2 {
		t.Errorf("pauses again: %s, %+v", got, incidents(w.e)[0])
	}
}

// TestLimits: file systems without room, throttled drives and hot drives become incidents of the drive, and
// drives that only look alike do not.
func TestLimits(t *testing.T) {
	const drive = 4 // s3/sda
	room := func(row *table.Row, bytes, inodes float64) {
		row.Gauges[2].Drives = append(row.Gauges[2].Drives, table.DriveGauges{Component: drive, Bytes: 1e12, Free: bytes * 1e12, Files: 1e6, FreeFiles: inodes * 1e6, Hot: math.NaN()})
	}
	heat := func(row *table.Row, hot float64, alarm bool) {
		row.Gauges[2].Drives = append(row.Gauges[2].Drives, table.DriveGauges{Component: drive, Hot: hot, Alarm: alarm})
	}
	work := func(row *table.Row, tps, sectors, await float64) {
		row.Values[0][drive], row.Values[1][drive], row.Values[2][drive], row.Values[3][drive] = tps, sectors, 0, await
	}
	rng := rand.New(rand.NewPCG(5, 6))
	near := func(v, share float64) float64 { return v * (1 + share*(2*rng.Float64()-1)) }
	for name, tt := range map[string]struct {
		want     string
		evidence string
		value    float64
		row      func(row *table.Row, step int)
	}{
		"bytes run out":  {"full file system s3/sda", finding.FreeBytes, 30_000, func(row *table.Row, step int) { room(row, max(0.03, 0.5-float64(step)/100), 0.5) }},
		"inodes run out": {"full file system s3/sda", finding.FreeInodes, 20_000, func(row *table.Row, step int) { room(row, 0.5, max(0.02, 0.5-float64(step)/100)) }},
		"no room from the beginning (ENOSPC)": {
			"full file system s3/sda", finding.FreeBytes, 0,
			func(row *table.Row, _ int) { room(row, 0, 0.5) },
		},
		"nearly full, and nobody writes": {row: func(row *table.Row, _ int) { room(row, 0.04, 0.5) }},
		"fills up, and has room":         {row: func(row *table.Row, step int) { room(row, 0.5-float64(step)/10_000, 0.5) }},
		"hot":                            {"overheated s3/sda", finding.Heat, 2, func(row *table.Row, step int) { heat(row, min(float64(step)/100-1, 2), false) }},
		"a critical warning":             {"overheated s3/sda", finding.Heat, -20, func(row *table.Row, _ int) { heat(row, -20, true) }},
		"warm":                           {row: func(row *table.Row, _ int) { heat(row, -1, false) }},
		"a limit of requests, as a saw tooth": {
			"throttled s3/sda", finding.LimitTPS, 3000,
			func(row *table.Row, step int) {
				if step >= 120 {
					work(row, near(3000, 0.005), near(80_000, 0.3), 2+4*float64(step%8))
				}
			},
		},
		"a limit of bytes": {
			"throttled s3/sda", finding.LimitBytes, 125,
			func(row *table.Row, step int) {
				if step >= 120 {
					work(row, near(400, 0.3), near(125e6/512, 0.005), near(40, 0.5))
				}
			},
		},
		"a constant rate without a queue": {row: func(row *table.Row, _ int) { work(row, near(100, 0.005), near(8000, 0.005), near(5, 0.2)) }},
	} {
		w := newLimitsWorld(t, 15)
		for step := range 400 {
			w.push(15, func(row *table.Row) { tt.row(row, step) })
		}
		sum := w.e.Summary(incident.Combined)
		got := slices.DeleteFunc(told(&sum), func(s string) bool { return strings.HasPrefix(s, string(finding.SlowDrive)) }) // a throttled drive is also slower than its peers
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: told %q, want %q", name, told(&sum), tt.want)
			continue
		}
		if tt.want == "" {
			continue
		}
		at := slices.IndexFunc(sum.Incidents, func(in incident.Incident) bool { return in.Class == finding.Capacity })
		i := slices.IndexFunc(sum.Incidents[at].Evidence, func(e finding.Evidence) bool { return e.Metric == tt.evidence })
		if i < 0 {
			t.Errorf("%s: no %s in %+v", name, tt.evidence, sum.Incidents[at].Evidence)
		} else if own := sum.Incidents[at].Evidence[i].Own; math.Abs(own-tt.value) > 0.01*math.Abs(tt.value) {
			t.Errorf("%s: %s is %g, want %g", name, tt.evidence, own, tt.value)
		}
	}
}

// TestRecordersStop: when recorders stop to send room, a full file system does not recover by itself, because
// nobody has looked.
func TestRecordersStop(t *testing.T) {
	w := newLimitsWorld(t, 15)
	for step := range 1200 {
		w.push(15, func(row *table.Row) {
			if step >= 100 {
				row.Heard[2], row.Gauges[2] = false, table.ServerGauges{}
				for c := 4; c < 6; c++ {
					for m := range row.Values {
						row.Values[m][c] = table.Missing
					}
				}
				return
			}
			row.Gauges[2].Drives = []table.DriveGauges{{Component: 4, Bytes: 1e12, Free: 1e12 * max(0.001, 0.5-float64(step)/50), Hot: math.NaN()}}
		})
	}
	at := slices.IndexFunc(incidents(w.e), func(in incident.Incident) bool { return in.Class == finding.Capacity })
	if at < 0 || incidents(w.e)[at].Phase != incident.Active {
		sum := w.e.Summary(incident.Combined)
		t.Errorf("told %v", told(&sum))
	}
}

// TestStateBytes measures what components' own past, pauses and limits add to a saved state, after two days in which
// all drives have file systems, do work and pause, and more clients than a row names use each server. 2 kB a component
// are allowed.
func TestStateBytes(t *testing.T) {
	w := newPastWorld(t, "servers: s[1-3]\ndrives:\n  - devices: sd[a-h]\n", 1)
	e := w.engine(t)
	drives := len(w.system.Components)
	for range 2 * pastDay {
		row := w.next()
		for s := range row.Gauges {
			x := table.ServerGauges{Known: true}
			if s == 0 && row.End/pastStep%2 == 0 {
				x.PausesBegan, x.PauseSeconds[table.ByDisk] = 1, 2
			}
			traffic := map[string]float64{}
			for i := range 2 * table.MaxClients {
				traffic[fmt.Sprintf("client%03d.example.org", i)] = 1e6 * float64(1+(row.End/pastStep+int64(i))%7)
			}
			x.Clients = table.NewClientTraffic(traffic)
			for c := range w.system.Components {
				if w.system.Components[c].Server == w.system.Servers[s] {
					x.Drives = append(x.Drives, table.DriveGauges{Component: c, Bytes: 1e12, Free: 9e11 - float64(row.End-pastStart)*1e3, Files: 1e6, FreeFiles: 5e5, Hot: -20})
				}
			}
			row.Gauges[s] = x
		}
		e.Push(row)
	}
	past, limited, err := e.StateBytes()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("own past %d bytes a component, pauses and limits %d", past/drives, limited/drives)
	if past == 0 || limited == 0 || past+limited > 2000*drives {
		t.Errorf("own past %d bytes, pauses and limits %d, of %d components", past, limited, drives)
	}
}
