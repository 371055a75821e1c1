package checklist

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/onset"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// servers parses a system with a drive, an interface and connections on each server.
func servers(t *testing.T, list string) (*blame.Map, table.Schema) {
	t.Helper()
	text := "servers: LIST\ndrives:\n  - {servers: LIST, devices: sda, peers: all}\ninterfaces:\n  - {servers: LIST, names: eth0}\nhosts: LIST\n"
	system, _, err := topology.Parse("pfs.yaml", []byte(strings.ReplaceAll(text, "LIST", `"`+list+`"`)))
	if err != nil {
		t.Fatal(err)
	}
	return blame.NewMap(system), table.Schema{StepSeconds: 1, Metrics: metric.All(), Components: len(system.Components)}
}

// kindOf is the kind of component that a metric is measured on.
var kindOf = map[metric.Subject]topology.Kind{
	metric.SubjectDevice: topology.Attachment, metric.SubjectInterface: topology.Interface, metric.SubjectHost: topology.Host,
}

// begin is the start of the runs, in Unix seconds.
const begin = 1_300_000_000

// factors multiply values, by server and metric.
type factors map[string]map[string]float64

// play passes rows of ten minutes to push: all servers alike, except for the factors
// from 120 s to 420 s.
func play(m *blame.Map, schema table.Schema, seed uint64, noise float64, by factors, push func(*table.Row)) {
	rng := rand.New(rand.NewPCG(seed, 3))
	row := table.NewRow(schema)
	for step := range 600 {
		row.End = begin + int64(step) + 1
		for i, of := range schema.Metrics {
			for c := range m.System.Components {
				row.Values[i][c] = table.Missing
				if m.Component(c).Kind == kindOf[of.Subject] {
					row.Values[i][c] = 50 * max(1, of.Noise) * math.Exp(noise*rng.NormFloat64())
				}
				if times := by[m.Component(c).Server][of.Name]; times > 0 && step >= 120 && step < 420 {
					row.Values[i][c] *= times
				}
			}
		}
		push(row)
	}
}

// noneIdle reports no server as idle.
func noneIdle(int) bool { return false }

// comparedMetrics are the metrics of the checklist, and some others.
var comparedMetrics = append(Metrics(), "tps", "svctm", "rxpck")

func model(t *testing.T, m *blame.Map, schema table.Schema) *persistence.Model {
	t.Helper()
	trainer, err := persistence.NewTrainer(persistence.F10Options(), m.System, schema, comparedMetrics)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		play(m, schema, seed, 0.3, nil, trainer.Push)
		trainer.EndRun()
	}
	return trainer.Model()
}

func fresh(t *testing.T, m *blame.Map, schema table.Schema) *Detector {
	t.Helper()
	o := persistence.F10Options()
	l, err := New(DefaultOptions(), onset.DefaultOptions(), m, schema, &o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestDetector(t *testing.T) {
	m, schema := servers(t, "ios[0-9]")
	trained := model(t, m, schema)
	tests := map[string]struct {
		factors factors
		want    string
	}{
		"control":             {nil, ""},
		"disk-hog":            {factors{"ios3": {"rd_sec": 4, "await": 3, "tps": 4}}, "ios3 disk-hog: rd_sec | await"},
		"disk-busy":           {factors{"ios3": {"await": 3, "cwnd_out": 0.2}}, "ios3 disk-busy: await | cwnd_out"},
		"network hog":         {factors{"ios7": {"rxbyt": 3, "txbyt": 2.5, "cwnd_in": 0.2}}, "ios7 network-hog: rxbyt txbyt | cwnd_in"},
		"buried acks":         {factors{"ios7": {"rxbyt": 3}}, "ios7 network-hog: rxbyt"},
		"delayed acks":        {factors{"ios7": {"txbyt": 3, "cwnd_in": 0.2}}, "ios7 packet loss: cwnd_in | txbyt"},
		"two at once":         {factors{"ios9": {"cwnd_out": 0.2}, "ios0": {"wr_sec": 0.2}}, "ios0 disk-hog: wr_sec, ios9 packet loss: cwnd_out"},
		"metrics that do not": {factors{"ios3": {"tps": 5, "svctm": 5, "rxpck": 5}}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, err := persistence.New(persistence.F10Options(), m.System, schema, comparedMetrics, trained)
			if err != nil {
				t.Fatal(err)
			}
			l := fresh(t, m, schema)
			play(m, schema, 77, 0.2, tt.factors, func(row *table.Row) {
				l.Row(row)
				d.Push(row, func(w *persistence.Window) { l.Window(w, noneIdle) })
			})
			var got []string
			for _, f := range l.Findings(begin + 600) {
				got = append(got, f.Place.Name+" "+string(f.Kind)+": "+strings.Join(checked(t, m, &f), " "))
			}
			if text := strings.Join(got, ", "); text != tt.want {
				t.Errorf("%q, want %q", text, tt.want)
			}
		})
	}
}

// checked returns the metrics of a finding, the deciding ones first. It checks the
// evidence: a score above its threshold, on a component of the server, during the fault.
func checked(t *testing.T, m *blame.Map, f *finding.Finding) []string {
	t.Helper()
	var names []string
	for i, e := range f.Evidence {
		if i > 0 && !e.Decides && f.Evidence[i-1].Decides {
			names = append(names, "|")
		}
		names = append(names, e.Metric)
		if e.Score <= e.Threshold || e.Threshold <= 0 || m.Component(e.Component).Server != f.Place.Name {
			t.Errorf("%s: %+v", f.Place.Name, e)
		}
		if ratio := e.Own / e.Peers; ratio > 0.8 && ratio < 1.2 {
			t.Errorf("%s: median %g, its peers %g", e.Metric, e.Own, e.Peers)
		}
		if e.From < begin+120-64 || e.From > begin+120+64 || e.To < begin+400 || e.To > begin+420+5*32 {
			t.Errorf("%s from %d to %d after the begin", e.Metric, e.From-begin, e.To-begin)
		}
	}
	if off := f.Onset.At - (begin + 120); off < -2 || off > 2 || f.Onset.Early > begin+120 || f.Onset.Late < begin+120 || f.Onset.Earlier {
		t.Errorf("%s since %+d s after the onset, %+v", f.Place.Name, off, f.Onset)
	}
	if len(f.RuledOut) != 1 || f.RuledOut[0].Kind == f.Kind || f.RuledOut[0].Evidence.Metric == "" {
		t.Errorf("%s: nothing is ruled out but %s: %+v", f.Place.Name, f.Kind, f.RuledOut)
	}
	if f.Class != finding.Resource || !f.Certain || len(f.Members) == 0 || f.Members[0].Role != finding.AtFault || f.Members[0].Since != f.Evidence[0].From {
		t.Errorf("%+v", f)
	}
	return names
}

// at passes a comparison of the first drive, in a window with the given end.
func at(l *Detector, end int64, v persistence.Verdict, idle func(int) bool) {
	await := metric.Index(metric.All(), "await")
	l.Window(&persistence.Window{Metric: await, Start: end - 64, End: end, Verdicts: []persistence.Verdict{v}}, idle)
}

// TestStrongestWindowIsKept: evidence is the window farthest above its threshold. A
// drive that is gone, or was gone, is no evidence, and neither are windows of an idle
// server.
func TestStrongestWindowIsKept(t *testing.T) {
	m, schema := servers(t, "ios[0-9]")
	l := fresh(t, m, schema)
	for i, v := range []persistence.Verdict{
		{State: persistence.Anomalous, Suspect: true, Reason: persistence.Gone, Score: 9, Threshold: 1},
		{State: persistence.Normal, Suspect: true, Reason: persistence.NoReason, Score: 0.5, Threshold: 1},
		{State: persistence.Anomalous, Suspect: false, Reason: persistence.Differs, Score: 8, Threshold: 1},
		{State: persistence.Anomalous, Suspect: true, Reason: persistence.Differs, Score: 2, Threshold: 1, Median: 4},
		{State: persistence.Anomalous, Suspect: true, Reason: persistence.Differs, Score: 3, Threshold: 1, Median: 6},
		{State: persistence.Anomalous, Suspect: true, Reason: persistence.Differs, Score: 5, Threshold: 2, Median: 5},
		{State: persistence.Anomalous, Suspect: true, Reason: persistence.Differs, Score: 90, Threshold: 1, Median: 5},
	} {
		at(l, int64(i+2)*32, v, func(server int) bool { return server == 0 && i == 6 })
		if l.Judged(0) != (i < 6) || l.Judged(1) {
			t.Errorf("window %d: compared %t, and the next server %t", i, l.Judged(0), l.Judged(1))
		}
	}
	list := l.Findings(8 * 32)
	if len(list) != 1 || list[0].Place.Name != "ios0" || list[0].Kind != finding.DiskBusy || len(list[0].RuledOut) > 0 {
		t.Fatalf("%+v", list)
	}
	want := finding.Evidence{Metric: "await", Decides: true, Unit: "ms", Score: 3, Threshold: 1, Own: 6, Peers: 6, From: 96, To: 224}
	if got := list[0].Evidence[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if l.Examined() != 7 {
		t.Errorf("%d windows", l.Examined())
	}
}

// TestNext: the next explanation is another suspect metric of the server, or else the
// metric closest to its threshold.
func TestNext(t *testing.T) {
	e := func(metric string, score float64) finding.Evidence {
		return finding.Evidence{Metric: metric, Score: score, Threshold: 1}
	}
	var s server
	for i, score := range []float64{0: 9, 2: 0.4, 4: 0.8, 6: 1.2} {
		if score > 0 {
			s.records[i].Nearest = e(items[i].metric, score)
		}
	}
	s.records[0].Suspect, s.records[6].Suspect = s.records[0].Nearest, s.records[6].Nearest
	if got := s.nextBest(finding.DiskHog); got.Kind != finding.PacketLoss || got.Reason != finding.Listed {
		t.Errorf("%+v", got)
	}
	s.records[6].Suspect = finding.Evidence{}
	if got := s.nextBest(finding.DiskHog); got.Kind != finding.PacketLoss || got.Reason != finding.Passed {
		t.Errorf("%+v", got)
	}
	s.records[6] = onset.MetricRecord{}
	if got := s.nextBest(finding.DiskHog); got.Kind != finding.NetworkHog || got.Reason != finding.Below || got.Evidence.Score != 0.8 {
		t.Errorf("%+v", got)
	}
}

// TestForget: a server that an operator resolves is forgotten, and so is a metric that
// was not suspect for a day.
func TestForget(t *testing.T) {
	m, schema := servers(t, "ios[0-9]")
	l := fresh(t, m, schema)
	suspect := persistence.Verdict{State: persistence.Anomalous, Suspect: true, Reason: persistence.Differs, Score: 2, Threshold: 1}
	stands := func(end int64) bool { return len(l.Findings(end)) == 1 }
	const day = 86400
	at(l, begin, suspect, noneIdle)
	at(l, begin+day, suspect, noneIdle)
	if !stands(begin + 2*day) {
		t.Error("forgotten within a day of what showed last")
	}
	if f := l.Findings(begin + 2*day)[0]; f.Evidence[0].From != begin-64 {
		t.Errorf("since %d", f.Evidence[0].From-begin)
	}
	if stands(begin + 2*day + 1) {
		t.Error("remembered after more than a day")
	}
	at(l, begin+3*day, suspect, noneIdle)
	at(l, begin+4*day+1, suspect, noneIdle)
	if f := l.Findings(begin + 4*day + 1)[0]; f.Evidence[0].From != begin+4*day+1-64 {
		t.Errorf("since %d s before", begin+4*day+1-f.Evidence[0].From)
	}
	l.Forget(0)
	if stands(begin+4*day+1) || !l.Judged(0) {
		t.Error("not forgotten, or not compared any more")
	}
}
