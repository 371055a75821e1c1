package stall

import (
	"cmp"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/detect/slow"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/internal/state"
)

// Options are the settings that concern only stalls.
type Options struct {
	// AloneMs is the smallest await, in ms, at which the stall of a single component is an
	// incident.
	AloneMs float64 `json:"alone_ms" above:"0"`
	// ManyAlone decides how stalled components without a common place are reported. Up to ManyAlone
	// components are reported one by one. More components are reported as one problem of the
	// system.
	ManyAlone int `json:"many_alone" least:"1"`
}

// DefaultOptions returns the default settings. AloneMs is 30 s, the time after which Linux gives up
// a request.
func DefaultOptions() Options { return Options{AloneMs: 30_000, ManyAlone: 16} }

// StallMs returns the smallest await, in ms, at which a component counts as stalled: a third of
// AloneMs. No healthy component reaches this await.
func (o *Options) StallMs() float64 { return o.AloneMs / 3 }

// maxTimes is the largest ratio to the peers that a finding contains. If the peers have a latency
// of 0, the ratio would be infinite.
const maxTimes = 1e6

// Validate returns an error that names every invalid setting.
func (o *Options) Validate() error { return bounds.Check(*o) }

// Detector finds the components with stalled requests in each row.
type Detector struct {
	opts         Options
	localise     slow.LocalisationOptions
	facts        *window.Facts
	placeIfAlone func(c int) blame.Place
	worst        map[int]stalled // by component: its stalls since the last window
}

// stalled is the record of a component's stalls since the last window.
type stalled struct {
	awaitMs float64
	first   int64 // Unix time of the end of the first stalled step
	steps   int
}

// New returns a detector before its first row. The function placeIfAlone returns the place to blame
// when component c stalls, and no other component stalls for the same reason.
func New(o Options, l slow.LocalisationOptions, f *window.Facts, placeIfAlone func(c int) blame.Place) *Detector {
	return &Detector{opts: o, localise: l, facts: f, placeIfAlone: placeIfAlone, worst: map[int]stalled{}}
}

// Row finds the stalled components of a row.
func (d *Detector) Row(row *table.Row) {
	if d.facts.LeadMetric != metric.Await {
		return
	}
	values := row.Values[d.facts.Lead]
	for _, c := range d.facts.Attachments {
		await := values[c]
		if !(await >= d.opts.StallMs()) {
			continue
		}
		x, ok := d.worst[c]
		if !ok {
			x.first = row.End
		}
		x.awaitMs, x.steps = max(x.awaitMs, await), x.steps+1
		d.worst[c] = x
	}
}

// lookSeconds is the shortest time between two searches for a common place, in seconds: the length
// of the shortest possible step.
const lookSeconds = 1

// Findings returns the findings for all stalls since the last window, and deletes the
// records of these stalls.
func (d *Detector) Findings() []finding.Finding {
	if len(d.worst) == 0 {
		return nil
	}
	var units []slow.Unit
	var who []int
	for _, c := range d.facts.Attachments {
		if _, ok := d.worst[c]; ok || d.facts.Conditions[c] == window.Serving {
			units, who = append(units, slow.Unit{Odd: ok, In: d.facts.PlacesOf[c], Holder: d.facts.HolderOf[c]}), append(who, c)
		}
	}
	var found []finding.Finding
	explained := map[int]bool{}
	for _, x := range d.localise.Explain(units, d.facts.IsAttribute, lookSeconds) {
		var members []int
		for _, u := range x.Members {
			members = append(members, who[u])
			explained[who[u]] = true
		}
		found = append(found, d.finding(d.facts.Places[x.Place], members, x.Judged))
	}
	found = append(found, d.unexplainedFindings(explained)...)
	clear(d.worst)
	return found
}

// unexplainedFindings returns the findings for stalled components that no common place explains, if
// their await reaches AloneMs. There is one finding for each component. If there are more than
// ManyAlone such components, there is one finding for the whole system.
func (d *Detector) unexplainedFindings(explained map[int]bool) []finding.Finding {
	var all []int
	for _, c := range d.facts.Attachments {
		if x, ok := d.worst[c]; ok && !explained[c] && x.awaitMs >= d.opts.AloneMs {
			all = append(all, c)
		}
	}
	if len(all) > d.opts.ManyAlone {
		system := blame.Place{Tier: blame.System, Name: cmp.Or(d.facts.System.Name, "everything")}
		return []finding.Finding{d.finding(system, all, 0)}
	}
	var found []finding.Finding
	for _, c := range all {
		found = append(found, d.finding(d.placeIfAlone(c), []int{c}, 1))
	}
	return found
}

func (d *Detector) finding(p blame.Place, members []int, compared int) finding.Finding {
	f := finding.Finding{Class: finding.Stall, Kind: finding.StalledRequests, Place: p, Judged: compared, Certain: true}
	for _, c := range members {
		f.Members = append(f.Members, d.member(c))
	}
	first := f.Members[0].Since
	for i := range f.Members {
		first = min(first, f.Members[i].Since)
	}
	f.Onset = finding.Onset{At: first, Early: first, Late: first + d.facts.StepSeconds}
	return f
}

func (d *Detector) member(c int) finding.Member {
	x := d.worst[c]
	peers := d.facts.Groups[d.facts.GroupOf(c)].Usual
	if table.IsMissing(peers) {
		peers = 0
	}
	worst := min(x.awaitMs/max(peers, 1), maxTimes)
	return finding.Member{
		Component: c, Role: finding.Stalled, Odd: true, Windows: x.steps, Ratio: worst, Worst: worst, Own: x.awaitMs, Peers: peers,
		Since: x.first - d.facts.StepSeconds,
	}
}

// State writes or reads the stalls since the last window.
func (d *Detector) State(c *state.Codec, axes *blame.Axes) {
	state.ByIndex(c, axes.Components, &d.worst, func(c *state.Codec, x *stalled) {
		c.Float(&x.awaitMs)
		state.Int(c, &x.first)
		state.Int(c, &x.steps)
	})
}
