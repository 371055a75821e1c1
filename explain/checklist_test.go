package explain

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/table"
	"github.com/limpet-storage/limpet/topology"
)

const pfs = `
servers: ios[0-9]
drives:
  - {servers: "ios[0-9]", devices: sda, peers: all}
interfaces:
  - {servers: "ios[0-9]", names: eth0}
hosts: ios[0-9]
`

func servers(t *testing.T) (*topology.System, table.Schema) {
	t.Helper()
	system, _, err := topology.Parse("pfs.yaml", []byte(pfs))
	if err != nil {
		t.Fatal(err)
	}
	return system, table.Schema{StepSeconds: 1, Metrics: metric.All(), Components: len(system.Components)}
}

// kindOf is the kind of component that a metric is measured on.
var kindOf = map[metric.Subject]topology.Kind{
	metric.OfDevice: topology.Attachment, metric.OfInterface: topology.Interface, metric.OfHost: topology.Host,
}

// begin is when runs begin, in seconds since the epoch.
const begin = 1_300_000_000

// play hands rows of ten minutes to push: all servers alike but for the
// factors, by server and metric, from 120 s to 420 s.
func play(system *topology.System, schema table.Schema, seed uint64, noise float64, factors map[string]map[string]float64, push func(*table.Row)) {
	rng := rand.New(rand.NewPCG(seed, 3))
	row := table.NewRow(schema)
	for step := range 600 {
		row.End = begin + int64(step) + 1
		for m, of := range schema.Metrics {
			for c := range system.Components {
				row.Values[m][c] = table.Missing
				if system.Components[c].Kind == kindOf[of.Subject] {
					row.Values[m][c] = 50 * max(1, of.Noise) * math.Exp(noise*rng.NormFloat64())
				}
				if by := factors[system.Components[c].Server][of.Name]; by > 0 && step >= 120 && step < 420 {
					row.Values[m][c] *= by
				}
			}
		}
		push(row)
	}
}

// nobody is excused.
func nobody(string) bool { return false }

// judged are the metrics that decide, and some that do not.
var judged = append(Metrics(), "tps", "svctm", "rxpck")

func model(t *testing.T, system *topology.System, schema table.Schema) *detect.Model {
	t.Helper()
	trainer, err := detect.NewTrainer(detect.F10Options(), system, schema, judged)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		play(system, schema, seed, 0.3, nil, trainer.Push)
		trainer.Break()
	}
	return trainer.Model()
}

func TestChecklist(t *testing.T) {
	system, schema := servers(t)
	trained := model(t, system, schema)
	tests := map[string]struct {
		factors map[string]map[string]float64
		want    string
	}{
		"control":             {nil, ""},
		"disk-hog":            {map[string]map[string]float64{"ios3": {"rd_sec": 4, "await": 3, "tps": 4}}, "ios3 disk-hog: rd_sec await"},
		"disk-busy":           {map[string]map[string]float64{"ios3": {"await": 3, "cwnd_out": 0.2}}, "ios3 disk-busy: await cwnd_out"},
		"network hog":         {map[string]map[string]float64{"ios7": {"rxbyt": 3, "txbyt": 2.5, "cwnd_in": 0.2}}, "ios7 network-hog: rxbyt txbyt cwnd_in"},
		"buried acks":         {map[string]map[string]float64{"ios7": {"rxbyt": 3}}, "ios7 network-hog: rxbyt"},
		"delayed acks":        {map[string]map[string]float64{"ios7": {"txbyt": 3, "cwnd_in": 0.2}}, "ios7 packet loss: txbyt cwnd_in"},
		"two at once":         {map[string]map[string]float64{"ios9": {"cwnd_out": 0.2}, "ios0": {"wr_sec": 0.2}}, "ios0 disk-hog: wr_sec, ios9 packet loss: cwnd_out"},
		"metrics that do not": {map[string]map[string]float64{"ios3": {"tps": 5, "svctm": 5, "rxpck": 5}}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, err := detect.New(detect.F10Options(), system, schema, judged, trained)
			if err != nil {
				t.Fatal(err)
			}
			charges := NewChecklist(system, schema, detect.F10Options())
			play(system, schema, 77, 0.2, tt.factors, func(row *table.Row) {
				charges.Row(row)
				d.Push(row, func(w *detect.Window) { charges.Window(w, nobody) })
			})
			var got []string
			for _, in := range charges.List() {
				got = append(got, in.Server+" "+string(in.Cause)+": "+strings.Join(checked(t, &in), " "))
			}
			if text := strings.Join(got, ", "); text != tt.want {
				t.Errorf("%q, want %q", text, tt.want)
			}
		})
	}
}

// checked returns the metrics of an indictment, whose evidence must speak for
// itself: a score above its threshold, on a component of the server, over the
// time of the fault.
func checked(t *testing.T, in *Indictment) []string {
	t.Helper()
	var names []string
	for _, e := range in.Metrics {
		names = append(names, e.Metric)
		if e.Score <= e.Threshold || e.Threshold <= 0 || !strings.HasPrefix(e.Component, in.Server) {
			t.Errorf("%s: %+v", in.Server, e)
		}
		if ratio := e.Median / e.Peers; ratio > 0.8 && ratio < 1.2 {
			t.Errorf("%s: median %g, its peers %g", e.Metric, e.Median, e.Peers)
		}
		if e.From < begin+120-64 || e.From > begin+120+64 || e.To < begin+400 || e.To > begin+420+5*32 {
			t.Errorf("%s from %d to %d after the begin", e.Metric, e.From-begin, e.To-begin)
		}
	}
	if off := in.Onset.At - (begin + 120); off < -2 || off > 2 || in.Onset.Early > begin+120 || in.Onset.Late < begin+120 || in.Onset.Earlier {
		t.Errorf("%s since %+d s after the onset, %+v", in.Server, off, in.Onset)
	}
	if in.Next == nil || in.Next.Cause == in.Cause || in.Next.Evidence.Metric == "" {
		t.Errorf("%s: %s has no alternative: %+v", in.Server, in.Cause, in.Next)
	}
	if in.From != slices.MinFunc(in.Metrics, func(a, b Evidence) int { return int(a.From - b.From) }).From {
		t.Errorf("%s since %d", in.Server, in.From)
	}
	return names
}

// TestStrongestWindowIsKept: evidence is the window farthest beyond its
// threshold; a drive that is gone, or was, is no evidence, and neither is what
// was seen of a server that is excused.
func TestStrongestWindowIsKept(t *testing.T) {
	system, schema := servers(t)
	await := metric.Index(schema.Metrics, "await")
	charges := NewChecklist(system, schema, detect.F10Options())
	for i, v := range []detect.Verdict{
		{State: detect.Anomalous, Suspect: true, Reason: detect.Gone, Score: 9, Threshold: 1},
		{State: detect.Normal, Suspect: true, Reason: detect.NoReason, Score: 0.5, Threshold: 1},
		{State: detect.Anomalous, Suspect: false, Reason: detect.Differs, Score: 8, Threshold: 1},
		{State: detect.Anomalous, Suspect: true, Reason: detect.Differs, Score: 2, Threshold: 1, Median: 4},
		{State: detect.Anomalous, Suspect: true, Reason: detect.Differs, Score: 3, Threshold: 1, Median: 6},
		{State: detect.Anomalous, Suspect: true, Reason: detect.Differs, Score: 5, Threshold: 2, Median: 5},
		{State: detect.Anomalous, Suspect: true, Reason: detect.Differs, Score: 90, Threshold: 1, Median: 5},
	} {
		end := int64(i+2) * 32
		excused := func(server string) bool { return server == "ios0" && i == 6 }
		charges.Window(&detect.Window{Metric: await, Start: end - 64, End: end, Verdicts: []detect.Verdict{v}}, excused)
	}
	list := charges.List()
	if len(list) != 1 || list[0].Server != "ios0" || list[0].Cause != DiskBusy || list[0].Next != nil {
		t.Fatalf("%+v", list)
	}
	want := Evidence{Metric: "await", Component: "ios0/sda", Unit: "ms", Score: 3, Threshold: 1, Median: 6, Peers: 6, From: 96, To: 224}
	if got := list[0].Metrics[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestNext: what a server is suspect in besides is the next best explanation,
// or else what came closest to its threshold.
func TestNext(t *testing.T) {
	e := func(metric string, score float64) Evidence {
		return Evidence{Metric: metric, Score: score, Threshold: 1}
	}
	c := newCharge()
	c.nearest = map[string]Evidence{"rd_sec": e("rd_sec", 9), "await": e("await", 0.4), "txbyt": e("txbyt", 0.8), "cwnd_in": e("cwnd_in", 1.2)}
	c.suspect = map[string]Evidence{"rd_sec": e("rd_sec", 9), "cwnd_in": e("cwnd_in", 1.2)}
	if got := c.next(DiskHog); got.Cause != PacketLoss || !got.Holds {
		t.Errorf("%+v", got)
	}
	delete(c.suspect, "cwnd_in")
	delete(c.nearest, "cwnd_in")
	if got := c.next(DiskHog); got.Cause != NetworkHog || got.Holds || got.Evidence.Score != 0.8 {
		t.Errorf("%+v", got)
	}
}
