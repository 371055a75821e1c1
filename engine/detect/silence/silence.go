package silence

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/detect/path"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/state"
)

// Detector watches who is heard.
type Detector struct {
	facts       *window.Facts
	k           int
	lostTimes   float64
	lostSeconds int64
	servers     []watch
}

// watch is what is remembered of one server.
type watch struct {
	down    bool
	windows int // in which it was down
	stoodIn int // windows in which others served its LUNs, where it never sent anything
}

// New returns a detector that has heard nobody. A path of a silent server counts
// as any that is lost.
func New(f *window.Facts, k int, o path.Options) *Detector {
	return &Detector{facts: f, k: k, lostTimes: o.LostTimes, lostSeconds: o.LostSeconds, servers: make([]watch, len(f.System.Servers))}
}

// Row looks who has just fallen silent. Nobody waits for the window's end to be
// told of it.
func (d *Detector) Row() []finding.Finding {
	var found []finding.Finding
	for s := range d.servers {
		w := &d.servers[s]
		switch down := d.facts.Silent(s); {
		case d.facts.Heard[s]:
			*w = watch{}
		case down && !w.down:
			w.down = true
			found = append(found, d.finding(s))
		}
	}
	return found
}

// Findings says which servers are silent at the end of a window.
func (d *Detector) Findings() []finding.Finding {
	var down, absent []finding.Finding
	for s := range d.servers {
		w := &d.servers[s]
		if w.down {
			w.windows++
			down = append(down, d.finding(s))
		}
		if d.facts.LastHeard[s] > 0 || d.facts.Sparse || !d.othersServe(s) {
			w.stoodIn = 0
			continue
		}
		if w.stoodIn++; w.stoodIn >= d.k {
			f := d.finding(s)
			f.Onset = finding.Before(d.facts.Begin)
			absent = append(absent, f)
		}
	}
	return append(down, absent...)
}

// othersServe says whether most LUNs of a server that is silent are served by
// others.
func (d *Detector) othersServe(server int) bool {
	mine, others := 0, 0
	for _, list := range d.facts.Paths {
		if first := list[0]; d.facts.ServerOf[first] == server && d.facts.Of(first).Priority == 1 {
			mine++
			if slices.ContainsFunc(list[1:], func(c int) bool { return d.facts.Now[c] == window.Serving }) {
				others++
			}
		}
	}
	return mine > 0 && 2*others > mine
}

// finding is the finding that a server is down.
func (d *Detector) finding(server int) finding.Finding {
	since := d.facts.LastHeard[server]
	f := finding.Finding{
		Class: finding.Path, Kind: finding.SilentServer, Place: blame.Place{Tier: blame.Server, Name: d.facts.System.Servers[server]},
		Sure: true, Certain: true, Onset: finding.Onset{At: since, Early: since, Late: since + d.facts.StepSeconds},
	}
	windows := max(d.servers[server].windows, 1)
	for _, c := range d.facts.Watched {
		if d.facts.ServerOf[c] == server && (d.facts.LastSeen[c] > 0 || !d.facts.Standby(c)) {
			f.Members = append(f.Members, finding.Member{
				Component: c, Role: finding.Gone, Odd: true, Windows: windows, Ratio: d.lostTimes, Worst: d.lostTimes, Since: since,
			})
		}
	}
	f.Judged = len(f.Members)
	f.Amount = float64(int64(f.Judged*windows)*d.facts.ShiftSeconds) / float64(d.lostSeconds)
	for lun, list := range d.facts.Paths {
		if at := d.facts.Served(lun); d.facts.ServerOf[list[0]] == server && at > 0 {
			f.AddTakeover(list[at])
		}
	}
	return f
}

// State writes or reads what is remembered of every server.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.By(c, axes.Servers, d.servers, func(c *state.Codec, w *watch) {
		c.Bool(&w.down)
		state.Int(c, &w.windows)
		state.Int(c, &w.stoodIn)
	})
}
