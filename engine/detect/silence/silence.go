package silence

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// Detector finds servers that stop sending data.
type Detector struct {
	facts       *window.Facts
	k           int
	lostTimes   float64
	lostSeconds int64
	servers     []history
}

// history counts the windows in which one server was down. A server is down if it sent data before
// and is silent now.
type history struct {
	down           bool
	windows        int // number of windows in which the server was down
	servedByOthers int // for a server that never sent data: number of consecutive windows in which other servers served most of its LUNs
}

// New returns a detector before its first row. It uses the options of package path,
// because a path of a silent server counts as a lost path.
func New(f *window.Facts, k int, o path.Options, c criteria.Options) *Detector {
	return &Detector{facts: f, k: k, lostTimes: o.LostTimes, lostSeconds: path.LostSeconds(&c), servers: make([]history, len(f.System.Servers))}
}

// Row returns one finding for each server that has become silent with the last row. It does not
// wait for the end of the window.
func (d *Detector) Row() []finding.Finding {
	var found []finding.Finding
	for s := range d.servers {
		w := &d.servers[s]
		switch down := d.facts.IsSilent(s); {
		case d.facts.HasData[s]:
			*w = history{}
		case down && !w.down:
			w.down = true
			found = append(found, d.finding(s))
		}
	}
	return found
}

// Findings returns one finding for each server that is silent at the end of a window. It also
// returns one finding for each server that never sent data, if other servers have served most of
// its LUNs for k windows. Such a finding may end although the server still sends no data, because
// its LUNs have no more requests. The end does not show that the server is back (CanJudge).
func (d *Detector) Findings() []finding.Finding {
	var down, absent []finding.Finding
	for s := range d.servers {
		w := &d.servers[s]
		if w.down {
			w.windows++
			down = append(down, d.finding(s))
		}
		if d.hasSentData(s) || d.facts.Sparse || !d.othersServe(s) {
			w.servedByOthers = 0
			continue
		}
		if w.servedByOthers++; w.servedByOthers >= d.k {
			absent = append(absent, d.finding(s))
		}
	}
	return append(down, absent...)
}

// othersServe reports whether other servers serve more than half of the LUNs that the given server
// should serve. A server should serve a LUN if the first path to the LUN belongs to this server.
func (d *Detector) othersServe(server int) bool {
	mine, others := 0, 0
	for _, list := range d.facts.Paths {
		if first := list[0]; d.facts.ServerOf[first] == server && d.facts.Component(first).Priority == 1 {
			mine++
			if d.standIn(list) > 0 {
				others++
			}
		}
	}
	return mine > 0 && 2*others > mine
}

// standIn returns which path of a LUN serves it, as an index in the paths of the LUN. The result is
// -1 if no path serves it. The first path belongs to a server without data, so another path that
// serves the LUN may have taken over. Light requests through another path may be own work of another
// server (package ownwork). They are no evidence if nothing else in the data shows that the server of
// the first path is down: if this server never sent data, or if most servers are silent.
func (d *Detector) standIn(paths []int) int {
	server := d.facts.ServerOf[paths[0]]
	others := d.otherServers(server)
	light := !d.facts.MeasuresLoad() || d.hasSentData(server) && 2*others.Odd <= others.Judged
	return slices.IndexFunc(paths, func(c int) bool {
		return d.facts.Conditions[c] == window.Serving && (light || !d.facts.HasLightWork(c))
	})
}

// hasSentData reports whether a server has ever sent data. A component without a server has the
// server -1, for which hasSentData returns true.
func (d *Detector) hasSentData(server int) bool { return server < 0 || d.facts.LastData[server] > 0 }

// CanJudge reports whether the data can show that the server of a component is no longer silent.
// They can show it only if the server has ever sent data: a server that never sent data may still be
// down when nobody uses its LUNs any more.
func (d *Detector) CanJudge(c int) bool { return d.hasSentData(d.facts.ServerOf[c]) }

// finding returns the finding that a server is down.
func (d *Detector) finding(server int) finding.Finding {
	since := d.facts.LastData[server]
	onset := finding.Onset{At: since, Early: since, Late: since + d.facts.StepSeconds}
	if !d.hasSentData(server) {
		since, onset = d.facts.Begin, finding.OnsetBefore(d.facts.Begin)
	}
	f := finding.Finding{
		Class: finding.Path, Kind: finding.SilentServer, Place: blame.Place{Tier: blame.Server, Name: d.facts.System.Servers[server]},
		Sure: true, Certain: true, Onset: onset,
	}
	windows := max(d.servers[server].windows, 1)
	for _, c := range d.facts.Attachments {
		if d.facts.ServerOf[c] == server && (d.facts.LastSeen[c] > 0 || !d.facts.IsStandby(c)) {
			f.Members = append(f.Members, finding.Member{
				Component: c, Role: finding.Gone, Odd: true, Windows: windows, Ratio: d.lostTimes, Worst: d.lostTimes, Since: since,
			})
		}
	}
	f.Judged, f.Elsewhere = len(f.Members), d.otherServers(server)
	f.Amount = float64(int64(f.Judged*windows)*d.facts.ShiftSeconds) / float64(d.lostSeconds)
	for _, list := range d.facts.Paths {
		if d.facts.ServerOf[list[0]] != server {
			continue
		}
		if at := d.standIn(list); at > 0 {
			f.AddTakeover(list[at])
		}
	}
	return f
}

// otherServers counts the other servers that have ever sent data, and those of them that are silent.
func (d *Detector) otherServers(server int) (others finding.Tally) {
	for s := range d.servers {
		if s == server || !d.hasSentData(s) {
			continue
		}
		others.Judged++
		if d.facts.IsSilent(s) {
			others.Odd++
		}
	}
	return others
}

// State writes or reads the history of every server.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Servers, d.servers, func(c *state.Codec, w *history) {
		c.Bool(&w.down)
		state.Int(c, &w.windows)
		state.Int(c, &w.servedByOthers)
	})
}
