package survey

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
)

// plain studies a simulated fleet a second time, from the records as they are
// drawn and without haste: all hours of all drives in memory, every figure by a
// loop of its own.
type plain struct {
	drives []fleet.Drive
	lives  []life            // by drive
	groups map[string]*hours // by name
}

// A life is the hours of a data drive in which its group counts, and what
// happened to it.
type life struct {
	at     map[int]relative
	events []fleet.Event
}

// A relative is what a drive does in an hour against its peers' median: S, RI, ZI.
type relative struct{ s, rate, size float64 }

// hours of a group that count.
type hours struct {
	at     map[int]whole
	kind   fleet.Kind
	parity int
}

// whole is the I/Os of all drives of a group, and how slow they are, in order.
type whole struct {
	ios       float64
	slowdowns []float64
}

func plainly(t *testing.T, o fleet.Options) *plain {
	t.Helper()
	sim, err := fleet.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := &plain{drives: sim.Drives(), groups: map[string]*hours{}}
	members := map[string][]int{}
	for i, d := range p.drives {
		p.lives = append(p.lives, life{at: map[int]relative{}})
		members[d.Group] = append(members[d.Group], i)
		p.groups[d.Group] = &hours{at: map[int]whole{}, kind: d.Kind}
	}
	for h := range sim.Hours() {
		for name, all := range members {
			p.hour(p.groups[name], int(h.Time.Unix()/3600), h, all)
		}
		for _, e := range h.Events {
			p.lives[e.Drive].events = append(p.lives[e.Drive].events, e)
		}
	}
	return p
}

// hour takes an hour of a group.
func (p *plain) hour(g *hours, hour int, h *fleet.Hour, all []int) {
	var data []int
	parity := 0
	for _, i := range all {
		switch {
		case h.IOs[i] == fleet.Absent:
		case p.drives[i].Role == fleet.Parity:
			parity++
		case h.IOs[i] > 0:
			data = append(data, i)
		}
	}
	if len(data) < 3 {
		return
	}
	g.parity = max(g.parity, parity)
	latency, ios, size := middle(data, h.LatencyUs), middle(data, h.IOs), middle(data, h.SizeBytes)
	var w whole
	for _, i := range data {
		l := relative{float64(h.LatencyUs[i]) / latency, float64(h.IOs[i]) / ios, float64(h.SizeBytes[i]) / size}
		p.lives[i].at[hour] = l
		w.ios += float64(h.IOs[i])
		w.slowdowns = append(w.slowdowns, l.s)
	}
	slices.Sort(w.slowdowns)
	slices.Reverse(w.slowdowns)
	g.at[hour] = w
}

func middle(of []int, values []int32) float64 {
	var all []float64
	for _, i := range of {
		all = append(all, float64(values[i]))
	}
	slices.Sort(all)
	n := len(all)
	return (all[(n-1)/2] + all[n/2]) / 2
}

// counted are two counts: of a part, and of its whole.
type counted struct{ part, whole int64 }

func (c *counted) add(whole, part bool) {
	if whole {
		c.whole++
		if part {
			c.part++
		}
	}
}

func (c counted) share() float64 { return float64(c.part) / float64(c.whole) }

// shares are the figures that have a part and a whole.
func (p *plain) shares(kind fleet.Kind) map[string]counted {
	out := map[string]*counted{}
	at := func(name string) *counted {
		if out[name] == nil {
			out[name] = &counted{}
		}
		return out[name]
	}
	for i := range p.lives {
		if d := &p.drives[i]; d.Kind == kind {
			p.loads(at, d, &p.lives[i])
			p.lives[i].hazards(at)
			p.lives[i].complaints(at)
			p.lives[i].plugs(at)
		}
	}
	for _, g := range p.groups {
		if g.kind == kind {
			g.steps(at)
		}
	}
	all := map[string]counted{}
	for name, c := range out {
		all[name] = *c
	}
	return all
}

// loads are the figures of single hours.
func (p *plain) loads(at func(string) *counted, d *fleet.Drive, l *life) {
	for _, h := range l.at {
		at("busy-in-slow-2").add(h.s >= 2, h.rate >= 2)
		at("slow-in-busy-2").add(h.rate >= 2, h.s >= 2)
		at("large-in-slow-1.5").add(h.s >= 1.5, h.size >= 2)
		at("slow-in-large-1.5").add(h.size >= 2, h.s >= 1.5)
		switch d.Flash {
		case "SLC":
			at("flash-slc-1.5").add(true, h.s >= 1.5)
		case "MLC":
			at("flash-mlc-2").add(true, h.s >= 2)
		}
	}
}

// steps are the figures of two hours of a group.
func (g *hours) steps(at func(string) *counted) {
	for hour, now := range g.at {
		before, ok := g.at[hour-1]
		if ok && before.slowdowns[0] < 2 {
			fell := before.ios/now.ios >= 2
			at("fall-stable-2").add(now.slowdowns[0] < 2, fell)
			at("fall-tail-2").add(now.slowdowns[0] >= 2, fell)
		}
		at("exact-tail").add(true, now.slowdowns[0] == 2)
	}
}

// values are the figures that are no shares.
func (p *plain) values(kind fleet.Kind) map[string]float64 {
	var night, day, old, young, first, last counted
	for i := range p.lives {
		if p.drives[i].Kind != kind {
			continue
		}
		deployed := int(math.Floor(float64(p.drives[i].Deployed.Unix()) / 3600))
		for hour, h := range p.lives[i].at {
			clock, slow := hour%24, h.s >= 2
			night.add(clock >= 20 || clock < 8, slow)
			day.add(clock >= 8 && clock < 20, slow)
			old.add(hour-deployed >= 5*8766, slow)
			young.add(hour-deployed < 5*8766, slow)
			january := time.Unix(int64(hour)*3600, 0).UTC().Month() == time.January
			first.add(january, slow)
			last.add(!january, slow)
		}
	}
	out := map[string]float64{"hour-of-day-night-2": night.share() / day.share(), "drift-2": last.share() - first.share()}
	if kind == fleet.Disk {
		out["age-older-2"] = old.share() / young.share()
	}
	p.cuts(kind, out)
	p.foresight(kind, out)
	return out
}
