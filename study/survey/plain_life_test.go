package survey

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
)

// from are the hours with a slowdown of x and more, in order.
func (l *life) from(x float64) []int {
	var out []int
	for _, hour := range slices.Sorted(maps.Keys(l.at)) {
		if l.at[hour].s >= x {
			out = append(out, hour)
		}
	}
	return out
}

// hazards are the figures of an hour and those before it.
func (l *life) hazards(at func(string) *counted) {
	slowYet := false
	for _, hour := range slices.Sorted(maps.Keys(l.at)) {
		slow := l.at[hour].s >= 2
		before, worked := l.at[hour-1]
		at("hazard-after-slow-2").add(worked && before.s >= 2, slow)
		at("hazard-never-2").add(!slowYet, slow)
		slowYet = slowYet || slow
	}
}

func clockOf(e fleet.Event) float64 { return float64(e.Time.UnixMilli()) / 3.6e6 }

func isComplaint(e fleet.Event) bool { return e.What != fleet.Unplugged && e.What != fleet.Replugged }

// complaints are the figures of events that are no plugs.
func (l *life) complaints(at func(string) *counted) {
	slow := l.from(2)
	for _, e := range l.events {
		led := slices.ContainsFunc(slow, func(hour int) bool {
			return float64(hour+1) > clockOf(e) && float64(hour) <= clockOf(e)+24
		})
		at("complaints-dead-2").add(isComplaint(e), led)
	}
	for _, run := range cut(slow) {
		near := slices.ContainsFunc(l.events, func(e fleet.Event) bool {
			return isComplaint(e) && clockOf(e) >= float64(run[0]-24) && clockOf(e) < float64(run[len(run)-1]+1)
		})
		at("complaints-near-2").add(true, near)
	}
}

// cut cuts hours into runs.
func cut(hours []int) [][]int {
	var out [][]int
	for i, h := range hours {
		if i == 0 || h != hours[i-1]+1 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], h)
	}
	return out
}

// plugs are the figures of being unplugged and put back.
func (l *life) plugs(at func(string) *counted) {
	worst := func(hours []int) (s float64) {
		for _, h := range hours {
			s = max(s, l.at[h].s)
		}
		return s
	}
	for _, run := range cut(l.from(2)) {
		at("unplugged-slow").add(true, l.unplugged(run[0]))
	}
	for _, run := range cut(l.from(1.5)) {
		at("unplugged-mild").add(worst(run) < 2, l.unplugged(run[0]))
	}
	for i, e := range l.events {
		if e.What != fleet.Unplugged {
			continue
		}
		back := math.Inf(1)
		for _, later := range l.events[i+1:] {
			if later.What == fleet.Replugged {
				back = clockOf(later)
				break
			}
		}
		out := back - clockOf(e)
		at("replugged").add(true, out < 1e9)
		at("replugged-2h").add(out < 1e9, out <= 2)
		at("replugged-10h").add(out < 1e9, out <= 10)
		soon := func(from, to float64) bool {
			return slices.ContainsFunc(l.from(2), func(h int) bool { return float64(h) >= from && float64(h) <= to })
		}
		at("recur").add(out < 1e9 && soon(clockOf(e)-24, clockOf(e)), soon(back, back+24))
	}
}

// unplugged reports whether the drive is so in the day from an hour on.
func (l *life) unplugged(hour int) bool {
	return slices.ContainsFunc(l.events, func(e fleet.Event) bool {
		return e.What == fleet.Unplugged && clockOf(e) >= float64(hour) && clockOf(e) <= float64(hour+24)
	})
}

// cuts are what cutting tails would save.
func (p *plain) cuts(kind fleet.Kind, out map[string]float64) {
	var tails, one, own float64
	for _, g := range p.groups {
		for _, w := range g.at {
			reaches := func(n int) float64 {
				if g.kind == kind && n < len(w.slowdowns) && w.slowdowns[n] >= 2 {
					return 1
				}
				return 0
			}
			tails, one, own = tails+reaches(0), one+reaches(1), own+reaches(g.parity)
		}
	}
	out["saved-by-one-2"], out["saved-by-own-2"] = 1-one/tails, 1-own/tails
}

// foresight are what replacing drives at their first slow hour would save, and
// how much likelier slow hours are within 24 hours at work of another.
func (p *plain) foresight(kind fleet.Kind, out map[string]float64) {
	var all, never, soon counted
	var replaced, saved, left float64
	for i := range p.lives {
		if p.drives[i].Kind != kind {
			continue
		}
		since := math.Inf(1)
		for _, hour := range slices.Sorted(maps.Keys(p.lives[i].at)) {
			slow := p.lives[i].at[hour].s >= 2
			since++
			all.add(true, slow)
			never.add(math.IsInf(since, 1), slow)
			soon.add(since <= 24, slow)
			switch {
			case !math.IsInf(since, 1):
				left++
				saved += map[bool]float64{true: 1}[slow]
			case slow:
				replaced++
			}
			if slow {
				since = 0
			}
		}
	}
	out["replace-at-1-2"] = (saved - left*all.share()) / replaced
	out["hazard-lift-2"] = soon.share() / never.share()
}

// TestPlain holds figures of load, events, plugs, degradation, age, flash, time,
// parity and foresight against a study that counts them one by one.
func TestPlain(t *testing.T) {
	o := options(40, 40, 5)
	f, p := simulated(t, o).findings(t), plainly(t, o)
	for i, kind := range []fleet.Kind{fleet.Disk, fleet.SSD} {
		part := f.Parts[i]
		for name, want := range p.shares(kind) {
			if got := figure(t, part, name); got.Part != want.part || got.Whole != want.whole || want.whole == 0 {
				t.Errorf("%s, %s: %d of %d, want %d of %d", kind, name, got.Part, got.Whole, want.part, want.whole)
			}
		}
		for name, want := range p.values(kind) {
			if got := figure(t, part, name); math.Abs(got.Number-want) > 1e-9*math.Abs(want) || want == 0 {
				t.Errorf("%s, %s: %v, want %v", kind, name, got.Number, want)
			}
		}
	}
}
