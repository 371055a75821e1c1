package incident

import (
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/internal/state"
)

// State writes or reads all incidents. If the topology has changed since the state was saved, call
// [Tracker.Drop] after reading: it ends incidents at places that are gone.
func (t *Tracker) State(c *state.Codec, axes *blame.Axes) {
	entries := func(list *[]*entry) {
		state.List(c, list, func(c *state.Codec, in **entry) {
			if *in == nil {
				*in = &entry{}
			}
			(*in).state(c, axes)
		})
	}
	entries(&t.open)
	entries(&t.ended)
	state.ByIndex(c, axes.Components, &t.muted, (*state.Codec).Bool)
}

// Drop ends each incident whose place is gone from the topology, or whose components are
// all gone.
func (t *Tracker) Drop(now int64) {
	for _, in := range t.open {
		in.dropJoined(t.system)
	}
	var gone []*entry
	t.open = slices.DeleteFunc(t.open, func(in *entry) bool {
		if t.system.HasPlace(in.Place) && !in.hasNoComponents {
			return false
		}
		gone = append(gone, in)
		return true
	})
	for _, in := range gone {
		why := Replaced
		if !t.system.HasPlace(in.Place) {
			why = Removed
		}
		if in.Phase != Pending {
			t.endIncident(in, why, now)
		}
	}
}

// dropJoined removes the joined places that are gone from the topology. If the place of the
// incident is gone, the first joined place becomes the place of the incident.
func (in *entry) dropJoined(system *blame.Map) {
	in.Joined = slices.DeleteFunc(slices.Clone(in.Joined), func(p blame.Place) bool { return !system.HasPlace(p) })
	if len(in.Joined) > 0 && !system.HasPlace(in.Place) {
		in.Place, in.Joined = in.Joined[0], in.Joined[1:]
	}
}

func (in *entry) state(c *state.Codec, axes *blame.Axes) {
	in.State(c, axes)
	had := len(in.lastAffected)
	state.Int(c, &had)
	state.ByIndex(c, axes.Components, &in.lastAffected, state.Int[int64])
	state.ByIndex(c, axes.Components, &in.lastAnomalous, state.Int[int64])
	in.hasNoComponents = had > 0 && len(in.lastAffected) == 0
	state.Int(c, &in.presentSeconds)
	state.Int(c, &in.quietSeconds)
	c.Bool(&in.merged)
}

// State writes or reads an incident. Reading skips members that are gone from the system.
func (in *Incident) State(c *state.Codec, axes *blame.Axes) {
	state.Text(c, &in.ID)
	state.Text(c, &in.Class)
	state.Text(c, &in.Kind)
	placeState(c, &in.Place)
	state.List(c, &in.Joined, placeState)
	state.Text(c, &in.Phase)
	c.Bool(&in.Muted)
	in.Onset.State(c)
	in.Spell.State(c)
	for _, at := range []*int64{&in.Suspected, &in.Confirmed, &in.Last, &in.Unjudged, &in.Cleared} {
		state.Int(c, at)
	}
	state.Text(c, &in.Ending)
	state.Text(c, &in.Into)
	state.List(c, &in.Spans, func(c *state.Codec, s *Span) {
		state.Int(c, &s.From)
		state.Int(c, &s.To)
	})
	members(c, axes, &in.Members)
	c.Float(&in.Severity)
	c.Float(&in.Worst)
	state.Int(c, &in.Windows)
	state.Int(c, &in.WindowSeconds)
	c.Float(&in.Amount)
	c.Float(&in.Nats)
	state.Int(c, &in.Until)
	state.Text(c, &in.MayBe)
	c.Float(&in.WaitedSeconds)
	state.Int(c, &in.Judged)
	state.Int(c, &in.Elsewhere.Odd)
	state.Int(c, &in.Elsewhere.Judged)
	state.List(c, &in.Alike, placeState)
	evidence(c, axes, &in.Evidence)
	ruledOut(c, axes, &in.RuledOut)
	state.Texts(c, &in.Metrics)
	state.List(c, &in.Also, func(c *state.Codec, a *SecondFinding) { a.state(c, axes) })
	state.List(c, &in.Comments, func(c *state.Codec, m *Comment) {
		state.Int(c, &m.Time)
		state.Text(c, &m.Text)
	})
}

func placeState(c *state.Codec, p *blame.Place) {
	state.Text(c, &p.Tier)
	state.Text(c, &p.Name)
}

func members(c *state.Codec, axes *blame.Axes, list *[]finding.Member) {
	state.List(c, list, func(c *state.Codec, m *finding.Member) { m.State(c, axes) })
	if !c.Saving() {
		*list = slices.DeleteFunc(*list, func(m finding.Member) bool { return m.Component < 0 })
	}
}

func evidence(c *state.Codec, axes *blame.Axes, list *[]finding.Evidence) {
	state.List(c, list, func(c *state.Codec, e *finding.Evidence) { e.State(c, axes) })
	if !c.Saving() {
		*list = slices.DeleteFunc(*list, func(e finding.Evidence) bool { return e.Component < 0 })
	}
}

func (a *SecondFinding) state(c *state.Codec, axes *blame.Axes) {
	state.Text(c, &a.Class)
	state.Text(c, &a.Kind)
	placeState(c, &a.Place)
	a.Onset.State(c)
	members(c, axes, &a.Members)
	evidence(c, axes, &a.Evidence)
}

func ruledOut(c *state.Codec, axes *blame.Axes, list *[]finding.RuledOut) {
	state.List(c, list, func(c *state.Codec, r *finding.RuledOut) { r.State(c, axes) })
	if !c.Saving() {
		*list = slices.DeleteFunc(*list, func(r finding.RuledOut) bool { return r.Evidence != nil && r.Evidence.Component < 0 })
	}
}
