package sitetest

import (
	"fmt"
	"slices"

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

// story holds the problems of a simulated site.
type story struct {
	world     *world
	now       int64
	incidents []incident.Incident
	suspects  []engine.Suspect
}

// problem is a slow part of a system.
type problem struct {
	kind     finding.Kind
	place    blame.Place
	on       []string // names of the slow components
	from, to int64    // to = 0: the problem has not ended
	times    float64
	nats     float64
}

// slow adds a slow part: its fault and its incident.
func (s *story) slow(p problem) *incident.Incident {
	f := fault{components: map[int]bool{}, from: p.from, to: p.to, times: p.times}
	in := incident.Incident{
		ID: fmt.Sprintf("%08x", uint32(noise(uint64(len(s.incidents)), uint64(p.from), 17)*(1<<32))), Class: finding.Slow, Kind: p.kind,
		Place: p.place, Phase: incident.Active,
		Onset: finding.Onset{At: p.from, Early: p.from - 240, Late: p.from + 360}, Suspected: p.from + 900, Confirmed: p.from + 1800, Last: s.now - s.now%shiftSeconds,
		Spans: []incident.Span{{From: p.from}}, Severity: p.times, Worst: p.times * 1.2, Windows: 12, WindowSeconds: shiftSeconds,
		Amount: 2.5, Nats: p.nats, WaitedSeconds: (p.times - 1) * 5400, Judged: len(p.on), Elsewhere: finding.Tally{Judged: len(s.world.system.Components) - len(p.on)},
	}
	for i, name := range p.on {
		at := s.at(name)
		f.components[at] = true
		times := p.times * (1 - 0.02*float64(i%8))
		in.Members = append(in.Members, finding.Member{
			Component: at, Role: finding.IsSlow, Odd: true, Windows: 12, Since: p.from, Ratio: times, Worst: times * 1.2,
			Own: 10.2 * times, Peers: 10.2, Load: 1.02, Effect: finding.Effect{Times: times, Low: times * 0.9, High: times * 1.12},
		})
	}
	in.Evidence = []finding.Evidence{{
		Metric: metric.Await.Name, Component: in.Members[0].Component, Decides: true, Own: in.Members[0].Own, Peers: 10.2, Unit: "ms",
		Score: 3.4, Threshold: 1, From: p.from, To: in.Last,
	}}
	if p.to > 0 {
		in.Phase, in.Ending, in.Cleared, in.Last, in.Spans[0].To = incident.Cleared, incident.Recovered, p.to, p.to, p.to
	}
	s.world.faults = append(s.world.faults, f)
	s.incidents = append(s.incidents, in)
	return &s.incidents[len(s.incidents)-1]
}

// suspect adds a problem that is not confirmed yet.
func (s *story) suspect(p problem, by int64) {
	in := *s.slow(p)
	s.incidents = s.incidents[:len(s.incidents)-1]
	in.ID, in.Phase, in.Confirmed, in.Spans, in.Amount = "", incident.Pending, 0, nil, 0.4
	s.suspects = append(s.suspects, engine.Suspect{Incident: in, ByTime: by})
}

// silent adds a server without data.
func (s *story) silent(server string, from int64) {
	s.world.gaps = append(s.world.gaps, gap{server, from, s.now + day})
	in := incident.Incident{
		ID: "51e47000", Class: finding.Path, Kind: finding.SilentServer, Place: blame.Place{Tier: blame.Server, Name: server},
		Phase: incident.Active, Onset: finding.Onset{At: from, Early: from, Late: from + stepSeconds}, Confirmed: from + 300,
		Last: s.now, Windows: 4, Spans: []incident.Span{{From: from}},
	}
	for i := range s.world.system.Components {
		if c := &s.world.system.Components[i]; c.Server == server && c.Priority <= 1 {
			in.Members = append(in.Members, finding.Member{Component: i, Role: finding.Gone, Odd: true, Since: from})
		}
	}
	s.incidents = append(s.incidents, in)
}

// scan adds requests that a server makes for itself. The incident is harmless.
func (s *story) scan(server string, from int64) {
	in := incident.Incident{
		ID: "0d15ca00", Class: finding.OwnWork, Kind: finding.ServerIssued, Place: blame.Place{Tier: blame.Server, Name: server},
		Phase: incident.Active, Onset: finding.Onset{At: from, Early: from, Late: from}, Confirmed: from + 900, Last: s.now, Windows: 2,
		Spans: []incident.Span{{From: from}},
	}
	for i := range s.world.system.Components {
		if c := &s.world.system.Components[i]; c.Server == server && c.Priority > 1 {
			in.Members = append(in.Members, finding.Member{Component: i, Role: finding.Working, Odd: true, Since: from})
		}
	}
	s.incidents = append(s.incidents, in)
}

func (s *story) at(name string) int {
	at, ok := s.world.system.Lookup(name)
	if !ok {
		panic("no component is called " + name)
	}
	return at
}

// parse reads a topology that is written in this package.
func parse(text string) *topology.System {
	system, _, err := topology.Parse("site.yaml", []byte(text))
	if err != nil {
		panic(err)
	}
	return system
}

// windows returns the last window of each peer group.
func (s *story) windows() []persistence.Window {
	var list []persistence.Window
	end := s.now - s.now%shiftSeconds
	for g := range s.world.system.Groups {
		w := persistence.Window{Group: g, Metric: metric.Index(metric.Device(), metric.Await.Name), Start: end - windowSeconds, End: end, Bins: distance.Bins{Count: 7, Width: 0.5, Min: 1}}
		for _, c := range s.world.system.Groups[g].Members {
			w.Verdicts = append(w.Verdicts, s.verdict(c, end))
		}
		list = append(list, w)
	}
	return list
}

func (s *story) verdict(component int, end int64) persistence.Verdict {
	v := persistence.Verdict{Component: component, Score: s.world.score(component, metric.Await.Name, end), Threshold: threshold, Median: s.world.value(component, metric.Await.Name, end), Peers: 10}
	switch {
	case v.Score != v.Score:
		v.State, v.Reason, v.Score, v.Threshold = persistence.Unjudged, persistence.TooFewIOs, 0, 0
	case v.Score > threshold:
		v.State, v.Reason, v.Suspect = persistence.Anomalous, persistence.Differs, true
	}
	return v
}

// summary returns the state of the story for a report.
func (s *story) summary() report.Summary {
	return report.Summary{
		Warnings: []string{"group secondary new has members of 2 models: list them as sets to compare like with like"},
		Summary:  engine.Summary{Incidents: s.incidents, Suspects: s.suspects, From: s.now - 7*day, To: s.now, Heard: len(s.world.system.Servers)},
	}
}

// site returns the site of the story. Its activity source has the given number of servers.
func (s *story) site(servers int) *Site {
	system := s.world.system
	subject := report.Subject{
		System: system, Version: "0.9.0", Schema: table.Schema{StepSeconds: stepSeconds, Metrics: metric.Device(), Components: len(system.Components)},
		Options: options(),
	}
	memory, windows := report.NewOngoing(subject), s.windows()
	for i := range windows {
		memory.Window(&windows[i])
	}
	site := newSite(&api.Result{
		Subject: subject, Result: memory.At(s.summary()), Windows: windows, Notes: map[string]api.Note{}, Opened: int64(len(s.incidents)),
		Sources: []api.Source{
			{Name: "/var/log/sa", Kind: "activity", State: api.SourceLive, Last: document.Time(s.now), Samples: int64(servers) * 40320, Text: "all servers but the silent ones are up to date"},
			{Name: "prometheus-a", Kind: "push", State: api.SourceLate, Last: document.Time(s.now - 95), LagSeconds: 95, Samples: 91_204, Dropped: 12, Text: "it is 95 s behind the others; look at the sender's queue; not used: 12 too late"},
		},
		Troubles: []api.Trouble{},
	})
	site.plots = &formulaPlots{site: site, world: s.world}
	site.Config = map[string]any{"listen": "127.0.0.1:9714", "state": "/var/lib/limpet", "sources": []any{map[string]any{"activity": "/var/log/sa"}, map[string]any{"push": "prometheus-a", "token_file": "/etc/limpet/push.token"}}}
	for _, in := range slices.Backward(s.incidents) {
		site.add(incident.Opened, &in, in.Confirmed)
		if in.Phase == incident.Cleared {
			site.add(incident.Recovers, &in, in.Last+600)
			site.add(incident.Clears, &in, in.Last+1800)
		}
	}
	return site
}
