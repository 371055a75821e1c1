package report

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

const site = `
name: site
servers: fs[1-8]
arrays:
  - names: ddn[1-2]
    servers_per_array: 4
    luns: 0-7
    priority: rotate
    controllers: {a: 1-2, b: 3-4}
    devices: sd[b-i]
interfaces:
  - servers: fs[1-8]
    names: eth0
hosts: fs[1-8]
`

// start is when the made-up diagnosis begins.
var start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Unix()

// hours of the made-up diagnosis.
const hours = 3

// world is a diagnosis that was made up: what a listener hears, step by step, and
// what stands at the end.
type world struct {
	t      *testing.T
	s      Subject
	joined bool // the only incident is that of joined causes
	steps  []func(engine.Listener, *Evidence)
}

func newWorld(t *testing.T, text string, lists bool) *world {
	t.Helper()
	system, _, err := topology.Parse("site.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o := engine.Options{Method: "default", Detect: persistence.DefaultOptions(), Metrics: []string{"await"}, Top: 10, Criteria: criteria.DefaultOptions()}
	w := &world{t: t, s: Subject{
		System: system, Options: o, Lists: lists, Version: "1.2.3",
		Schema: table.Schema{StepSeconds: 15, Metrics: metric.All(), Components: len(system.Components)},
	}}
	rng := rand.New(rand.NewPCG(1, 2))
	for end := start + 15; end <= start+hours*3600; end += 15 {
		w.row(rng, end)
		if end%450 == 0 {
			w.windows(rng, end)
		}
		if end%3600 == 0 {
			w.steps = append(w.steps, func(l engine.Listener, _ *Evidence) {
				l.List(&engine.List{Hour: end - 3600, Entries: w.top()})
			})
		}
		for _, e := range w.events() {
			if e.Time == end {
				w.steps = append(w.steps, func(l engine.Listener, _ *Evidence) { l.Event(&e) })
			}
		}
	}
	return w
}

// at finds a component.
func (w *world) at(name string) int {
	w.t.Helper()
	c, ok := w.s.System.Lookup(name)
	if !ok {
		w.t.Fatalf("no component is called %s", name)
	}
	return c
}

// row makes up what was measured in a step. LUN 1.0 is slow from 01:00 on.
func (w *world) row(rng *rand.Rand, end int64) {
	row := table.NewRow(w.s.Schema)
	row.End = end
	slow := w.at("1.0.1")
	for m := range row.Values {
		for c := range row.Values[m] {
			if row.Values[m][c] = 10 + math.Round(rng.Float64()*100)/10; c == slow && end > start+3600 {
				row.Values[m][c] *= 3
			}
		}
	}
	w.steps = append(w.steps, func(_ engine.Listener, e *Evidence) { e.Row(row) })
}

func (w *world) windows(rng *rand.Rand, end int64) {
	m := metric.Index(w.s.Schema.Metrics, "await")
	for g := range 2 {
		win := &persistence.Window{Group: g, Metric: m, Start: end - 900, End: end, Bins: distance.Bins{Count: 7, Width: 0.5, Min: 1}}
		for _, c := range w.s.System.Groups[g].Members {
			v := persistence.Verdict{Component: c, Score: rng.Float64(), Threshold: 1, Median: 10, Peers: 10}
			switch {
			case c == w.at("1.0.1") && end > start+3600:
				v.State, v.Reason, v.Score, v.Median, v.Suspect = persistence.Anomalous, persistence.Differs, 4, 31.6, true
			case rng.IntN(4) == 0:
				v.State, v.Reason, v.Median = persistence.Unjudged, persistence.TooFewIOs, table.Missing
			}
			win.Verdicts = append(win.Verdicts, v)
		}
		w.steps = append(w.steps, func(l engine.Listener, _ *Evidence) { l.Window(win) })
	}
}

func (w *world) top() []persistence.Entry {
	last := persistence.Verdict{Component: w.at("1.0.1"), State: persistence.Anomalous, Reason: persistence.Differs, Score: 4, Threshold: 1, Median: 31.6, Peers: 10.2}
	m := metric.Index(w.s.Schema.Metrics, "await")
	return []persistence.Entry{{Value: 12, Component: w.at("1.0.1"), Metric: m, Since: start + 3600, Last: last}, {Value: 2, Component: w.at("1.1.2"), Metric: m, Since: start + 7200, Last: last, Fades: true}}
}

func (w *world) member(role finding.Role, name string) finding.Member {
	m := finding.Member{Component: w.at(name), Role: role, Odd: true, Windows: 9, Since: start + 3600}
	if role == finding.IsSlow {
		m.Ratio, m.Worst, m.Own, m.Peers, m.Load = 3, 3.57, 31.6, 10.2, 1
		m.Effect = finding.Effect{Times: 3.1, Low: 2.8, High: 3.4}
	}
	return m
}

// opened makes an incident of what it is.
func opened(id string, hour float64, in incident.Incident) incident.Incident {
	at := start + int64(hour*3600)
	in.ID, in.Phase, in.Onset = id, incident.Active, finding.Onset{At: at, Early: at - 300, Late: at + 300}
	in.Spell, in.Spans, in.Confirmed, in.Last = in.Onset, []incident.Span{{From: at}}, at+1350, start+hours*3600
	return in
}

// over ends an incident.
func over(in incident.Incident, hour float64) incident.Incident {
	in.Phase, in.Ending, in.Last = incident.Cleared, incident.Recovered, start+int64(hour*3600)
	in.Cleared = in.Last
	in.Spans = []incident.Span{{From: in.Spans[0].From, To: in.Last}}
	return in
}

func (w *world) slowLUN() incident.Incident {
	return opened("slow-1.0", 1, incident.Incident{
		Class: finding.Slow, Kind: finding.SingleLUN, Place: blame.Place{Tier: blame.LUN, Name: "1.0"}, Severity: 3, Worst: 3.57, Windows: 12, Amount: 2.5, Nats: 31, WaitedSeconds: 5400,
		Judged: 1, Elsewhere: finding.Tally{Judged: 15}, Members: []finding.Member{w.member(finding.IsSlow, "1.0.1")}, Metrics: []string{"svctm"},
		Comments: []incident.Comment{{Time: start + 7200, Text: "ordered a drive"}},
	})
}

// joinedCauses is a common cause at two positions of both arrays.
func (w *world) joinedCauses() incident.Incident {
	at := func(name string) blame.Place { return blame.Place{Tier: blame.Position, Name: name} }
	return opened("slow-positions", 1, incident.Incident{
		Class: finding.Slow, Kind: finding.SharedSlowness, Place: at("1"), Joined: []blame.Place{at("0")}, Severity: 3, Worst: 3.57, Windows: 12, Amount: 2.5, Nats: 31,
		Judged: 4, Elsewhere: finding.Tally{Judged: 12}, Members: []finding.Member{
			w.member(finding.IsSlow, "1.0.1"), w.member(finding.IsSlow, "1.1.2"), w.member(finding.IsSlow, "2.0.5"), w.member(finding.IsSlow, "2.1.6"),
		},
	})
}

func (w *world) lostPaths() incident.Incident {
	return opened("path-ddn2a", 0.5, incident.Incident{
		Class: finding.Path, Kind: finding.LostAttachment, Place: blame.Place{Tier: blame.Controller, Name: "ddn2a"}, Severity: 60, Worst: 60, Windows: 9,
		Members: []finding.Member{w.member(finding.Gone, "2.0.5"), w.member(finding.Gone, "2.1.6"), w.member(finding.TookOver, "2.0.7")},
	})
}

// hog is a resource of a server, found by two detectors.
func (w *world) hog() incident.Incident {
	ev := func(name, component, unit string, own, peers, score, threshold float64, scale finding.Scale, decides bool) finding.Evidence {
		return finding.Evidence{
			Metric: name, Component: w.at(component), Unit: unit, Own: own, Peers: peers, Score: score, Threshold: threshold,
			Scale: scale, Decides: decides, From: start + 7200, To: start + 7500,
		}
	}
	loss := ev("retr_out", "fs3", "% of segments", 0.07, 0.26, 0, 1, finding.TimesPeersLosses, false)
	return opened("resource-fs3", 2, incident.Incident{
		Class: finding.Resource, Kind: finding.DiskHog, Place: blame.Place{Tier: blame.Server, Name: "fs3"}, Severity: 5, Worst: 5, Windows: 4,
		Members: []finding.Member{w.member(finding.AtFault, "1.2.3")},
		Evidence: []finding.Evidence{
			ev("rd_sec", "1.2.3", "sectors/s", 130_000, 75_000, 42.1, 8, finding.PercentOfDrive, true),
			ev("txbyt", "fs3/eth0", "B/s", 91e6, 45.6e6, 2.91, 0.8, finding.Distance, false),
		},
		RuledOut: []finding.RuledOut{{Kind: finding.PacketLoss, Reason: finding.Below, Evidence: &loss}},
		Also: []incident.SecondFinding{{
			Class: finding.Slow, Kind: finding.SingleLUN, Place: blame.Place{Tier: blame.LUN, Name: "1.2"},
			Onset: finding.Onset{At: start + 7200, Early: start + 7200, Late: start + 7215}, Members: []finding.Member{w.member(finding.IsSlow, "1.2.3")},
		}},
	})
}

// events: a silent server that is over and forgotten, and an incident that comes
// back under its ID.
func (w *world) events() []incident.Event {
	silent := over(opened("silent-fs8", 0.1, incident.Incident{
		Class: finding.Path, Kind: finding.SilentServer, Place: blame.Place{Tier: blame.Server, Name: "fs8"}, Members: []finding.Member{w.member(finding.Gone, "2.3.8")},
	}), 0.5)
	lost := over(opened("path-ddn2a", 0.25, w.lostPaths()), 0.4)
	lost.ID = "path-ddn2a"
	part := over(w.slowLUN(), 1.5)
	part.ID, part.Ending = "slow-part", incident.Merged
	open := w.slowLUN()
	return []incident.Event{
		{Time: start + 1440, Change: incident.Clears, Incident: &lost},
		{Time: start + 1800, Change: incident.Clears, Incident: &silent},
		{Time: start + 4500, Change: incident.Opened, Incident: &open},
		{Time: start + 5400, Change: incident.Clears, Incident: &part},
	}
}

func (w *world) summary() Summary {
	own := opened("own-fs1", 1, incident.Incident{
		Class: finding.OwnWork, Kind: finding.ServerIssued, Place: blame.Place{Tier: blame.Server, Name: "fs1"}, Members: []finding.Member{w.member(finding.Working, "1.1.1")},
	})
	recovers := opened("slow-1.3", 1.5, incident.Incident{
		Class: finding.Slow, Kind: finding.SingleLUN, Place: blame.Place{Tier: blame.LUN, Name: "1.3"}, Worst: 3.57, Members: []finding.Member{w.member(finding.IsSlow, "1.3.4")},
	})
	recovers.Phase, recovers.Last = incident.Recovering, start+8000
	suspect := engine.Suspect{ByTime: start + 4*3600, Incident: opened("", 2.5, incident.Incident{
		Class: finding.Slow, Kind: finding.SingleLUN, Place: blame.Place{Tier: blame.LUN, Name: "1.5"}, Severity: 3, Worst: 3.57, Members: []finding.Member{w.member(finding.IsSlow, "1.5.2")},
	})}
	suspect.Phase, suspect.Confirmed, suspect.Spans = incident.Pending, 0, nil
	if w.joined {
		return Summary{Summary: engine.Summary{Incidents: []incident.Incident{w.joinedCauses()}, From: start, To: start + hours*3600, Heard: 8}}
	}
	return Summary{Warnings: []string{"a warning"}, Summary: engine.Summary{
		Incidents: []incident.Incident{w.lostPaths(), w.slowLUN(), w.hog(), recovers, own}, Suspects: []engine.Suspect{suspect},
		Top: w.top(), Accumulators: w.top(), From: start, To: start + hours*3600, Heard: 7, Examined: 20,
		Silent: []engine.Silence{{Server: "fs7", Since: start + 7200}},
		Idle:   []engine.Idleness{{Server: "fs6", From: start, To: start + 600, Times: 1, Seconds: 600}},
		Lacks:  []engine.Lack{{Question: engine.Servers, Resource: engine.ConnectionsIn}},
		Unlike: []finding.Symptom{finding.Sends}, Skews: []engine.Skew{{Server: "fs2", Seconds: 5}},
	}}
}

// family is one writer of each format, and a page.
type family struct {
	t        *testing.T
	out      []bytes.Buffer // by format, and last the page
	writers  []Writer
	evidence *Evidence
}

func (w *world) family() *family {
	w.t.Helper()
	f := &family{t: w.t, out: make([]bytes.Buffer, len(Formats())+1), evidence: NewEvidence(w.s)}
	for i, format := range Formats() {
		writer, err := New(format, &f.out[i], w.s)
		if err != nil {
			w.t.Fatal(err)
		}
		f.writers = append(f.writers, writer)
	}
	return f
}

func (f *family) hear(steps []func(engine.Listener, *Evidence)) {
	listeners := several{f.evidence}
	for _, writer := range f.writers {
		listeners = append(listeners, writer)
	}
	for _, step := range steps {
		step(listeners, f.evidence)
	}
}

// finish returns what each has written, by format and "page".
func (f *family) finish(s Summary) map[string]string {
	f.t.Helper()
	all := map[string]string{}
	for i, writer := range f.writers {
		if err := writer.Finish(s); err != nil {
			f.t.Fatal(err)
		}
		all[Formats()[i]] = f.out[i].String()
	}
	var out bytes.Buffer
	if err := f.evidence.Write(&out, s); err != nil {
		f.t.Fatal(err)
	}
	all["page"] = out.String()
	return all
}

func (f *family) state(c *state.Codec, m *blame.Map) {
	axes := m.Axes(c)
	for _, writer := range f.writers {
		writer.State(c, axes)
	}
	f.evidence.State(c, axes)
}

// run is the diagnosis heard whole.
func (w *world) run() map[string]string {
	w.t.Helper()
	f := w.family()
	f.hear(w.steps)
	return f.finish(w.summary())
}
