package sitetest

import (
	"math"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/distance"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report"
	"github.com/limpet-storage/limpet/report/document"
	"github.com/limpet-storage/limpet/server/api"
	"github.com/limpet-storage/limpet/topology"
)

// none is a missing number.
var none = document.Number(math.NaN())

// sampleTopology is that of the sample.
const sampleTopology = `
name: made-up
servers: fs[1-4]
arrays:
  - names: ddn[1-2]
    servers_per_array: 2
    luns: 0-7
    priority: rotate
    controllers: {a: 1, b: 2}
    devices: sd[b-i]
`

// Start is when the data of the sample begin, and Now the time of its last row.
var (
	Start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Unix()
	Now   = Start + 4*3600
)

// New returns the sample: a site on which a LUN limps.
func New() *Site {
	s := newSite(sampleResult())
	s.plots = samplePlots{s}
	s.Config = map[string]any{"listen": "127.0.0.1:9714", "token": "canary-secret"}
	s.Reloaded = api.Reloaded{Restart: []string{"listen: restart limpet to listen elsewhere"}}
	for i := range s.result.Incidents {
		if in := &s.result.Incidents[i]; in.Phase == incident.Active {
			s.add(incident.Opened, in, s.result.To)
		}
	}
	return s
}

// sampleResult is the result of the diagnosis on the sample: LUN 1.0 is slow.
func sampleResult() *api.Result {
	m := &maker{system: parse(sampleTopology)}
	subject := report.Subject{
		System: m.system, Version: "1.2.3", Schema: table.Schema{StepSeconds: 15, Metrics: metric.Device(), Components: len(m.system.Components)},
		Options: options(),
	}
	memory := report.NewOngoing(subject)
	return &api.Result{
		Subject: subject, Result: memory.At(m.summary()), Windows: m.windows(), Notes: map[string]api.Note{}, Opened: 5,
		Sources: []api.Source{
			{Name: "/srv/activity", Kind: "activity", State: api.SourceLive, Last: document.Time(Now), LagSeconds: 0, Samples: 4096, Text: "All 4 servers are up to date."},
			{Name: "push", Kind: "push", State: api.SourceSilent, LagSeconds: none, Text: "Nobody has sent anything yet."},
		},
		Receivers: []api.Receiver{
			{Name: "pager", Node: "fs1", Here: true, Queued: 2, Oldest: document.Time(Now - 120), Last: document.Time(Now - 3600), Failures: 1},
			{Name: "tickets", Node: "fs2"},
		},
		AlertsDecidedBy: "fs1",
		AlertsDecidedTo: Now,
		Troubles:        []api.Trouble{{Kind: "disk", Since: document.Time(Now - 60), Text: "The disk of the state is nearly full: make room."}},
	}
}

// maker makes incidents and windows of the sample.
type maker struct{ system *topology.System }

func (m *maker) at(name string) int {
	at, ok := m.system.Lookup(name)
	if !ok {
		panic("no component is called " + name)
	}
	return at
}

func (m *maker) member(role finding.Role, name string) finding.Member {
	x := finding.Member{Component: m.at(name), Role: role, Odd: true, Windows: 9, Since: Start + 3600}
	if role == finding.IsSlow {
		x.Ratio, x.Worst, x.Own, x.Peers, x.Load = 3, 3.5, 31.6, 10.2, 1
		x.Effect = finding.Effect{Times: 3.1, Low: 2.9, High: 3.3}
	}
	return x
}

func (m *maker) slow(id, lun, component string, hour int64) incident.Incident {
	at := Start + hour*3600
	return incident.Incident{
		ID: id, Class: finding.Slow, Kind: finding.SingleLUN, Place: blame.Place{Tier: blame.LUN, Name: lun}, Phase: incident.Active,
		Onset: finding.Onset{At: at, Early: at - 300, Late: at + 300}, Confirmed: at + 1800, Last: Now,
		Spans: []incident.Span{{From: at}}, Severity: 3, Worst: 3.5, Windows: 12, WindowSeconds: 450, Amount: 2.5, Nats: 31, WaitedSeconds: 5400,
		Judged: 1, Elsewhere: finding.Tally{Judged: 15}, Members: []finding.Member{m.member(finding.IsSlow, component)},
	}
}

func (m *maker) summary() report.Summary {
	lost := incident.Incident{
		ID: "path-ddn2a", Class: finding.Path, Kind: finding.LostAttachment, Place: blame.Place{Tier: blame.Controller, Name: "ddn2a"},
		Phase: incident.Active, Onset: finding.Onset{At: Start + 1800, Early: Start + 1800, Late: Start + 1815}, Confirmed: Start + 2000,
		Last: Now, Windows: 9, Members: []finding.Member{m.member(finding.Gone, "2.0.3"), m.member(finding.TookOver, "2.0.4")},
	}
	recovering := m.slow("slow-1.2", "1.2", "1.2.1", 1)
	recovering.Phase, recovering.Last = incident.Recovering, Now-1800
	muted := m.slow("slow-1.4", "1.4", "1.4.1", 2)
	muted.Muted = true
	over := m.slow("slow-1.3", "1.3", "1.3.2", 0)
	over.Phase, over.Ending, over.Cleared, over.Spans[0].To = incident.Cleared, incident.Recovered, Start+7200, Start+7200
	suspect := m.slow("", "1.5", "1.5.2", 3)
	suspect.Phase, suspect.Confirmed, suspect.Spans = incident.Pending, 0, nil
	worst := m.slow("slow-1.0", "1.0", "1.0.1", 1)
	return report.Summary{Warnings: []string{"a warning"}, Summary: engine.Summary{
		Incidents: []incident.Incident{worst, lost, recovering, muted, over}, Suspects: []engine.Suspect{{Incident: suspect, ByTime: Now + 3600}},
		Top: []persistence.Entry{{Value: 12, Component: m.at("1.0.1"), Since: Start + 3600}}, From: Start, To: Now, Heard: 4,
	}}
}

// windows are the last of each peer group, in await.
func (m *maker) windows() []persistence.Window {
	var list []persistence.Window
	for g := range m.system.Groups {
		w := persistence.Window{Group: g, Metric: metric.Index(metric.Device(), "await"), Start: Now - 900, End: Now, Bins: distance.Bins{Count: 7, Width: 0.5, Min: 1}}
		for _, c := range m.system.Groups[g].Members {
			v := persistence.Verdict{Component: c, Score: 0.2, Threshold: 1, Median: 10, Peers: 10}
			switch c {
			case m.at("1.0.1"):
				v.State, v.Reason, v.Score, v.Median, v.Suspect = persistence.Anomalous, persistence.Differs, 4, 31.6, true
			case m.at("1.1.2"):
				v.State, v.Reason, v.Threshold, v.Median = persistence.Unjudged, persistence.TooFewIOs, 0, table.Missing
			}
			w.Verdicts = append(w.Verdicts, v)
		}
		list = append(list, w)
	}
	return list
}
