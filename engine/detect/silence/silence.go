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
// its LUNs for k windows.
func (d *Detector) Findings() []finding.Finding {
	var down, absent []finding.Finding
	for s := range d.servers {
		w := &d.servers[s]
		if w.down {
			w.windows++
			down = append(down, d.finding(s))
		}
		if d.facts.LastData[s] > 0 || d.facts.Sparse || !d.othersServe(s) {
			w.servedByOthers = 0
			continue
		}
		if w.servedByOthers++; w.servedByOthers >= d.k {
			f := d.finding(s)
			f.Onset = finding.OnsetBefore(d.facts.Begin)
			absent = append(absent, f)
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
			if slices.ContainsFunc(list[1:], func(c int) bool { return d.facts.Conditions[c] == window.Serving }) {
				others++
			}
		}
	}
	return mine > 0 && 2*others > mine
}

// finding returns the finding that a server is down.
func (d *Detector) finding(server int) finding.Finding {
	since := d.facts.LastData[server]
	f := finding.Finding{
		Class: finding.Path, Kind: finding.SilentServer, Place: blame.Place{Tier: blame.Server, Name: d.facts.System.Servers[server]},
		Sure: true, Certain: true, Onset: finding.Onset{At: since, Early: since, Late: since + d.facts.StepSeconds},
	}
	windows := max(d.servers[server].windows, 1)
	for _, c := range d.facts.Attachments {
		if d.facts.ServerOf[c] == server && (d.facts.LastSeen[c] > 0 || !d.facts.IsStandby(c)) {
			f.Members = append(f.Members, finding.Member{
				Component: c, Role: finding.Gone, Odd: true, Windows: windows, Ratio: d.lostTimes, Worst: d.lostTimes, Since: since,
			})
		}
	}
	f.Judged = len(f.Members)
	f.Amount = float64(int64(f.Judged*windows)*d.facts.ShiftSeconds) / float64(d.lostSeconds)
	for lun, list := range d.facts.Paths {
		if at := d.facts.ServingPath(lun); d.facts.ServerOf[list[0]] == server && at > 0 {
			f.AddTakeover(list[at])
		}
	}
	return f
}

// State writes or reads the history of every server.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Servers, d.servers, func(c *state.Codec, w *history) {
		c.Bool(&w.down)
		state.Int(c, &w.windows)
		state.Int(c, &w.servedByOthers)
	})
}
