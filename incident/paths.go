package incident

import (
	"slices"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/table"
)

// A LUN is served by the first of its servers that has a path to it. Where
// that is no longer the first of all, those before it have lost theirs: the
// device is gone, or it is there and nobody uses it (L13 §5.2.1). What took
// over is busy where it ought to be idle, and is not to blame.

// condition is what a path does in a window.
type condition uint8

const (
	resting condition = iota // there, without a request
	serving
	working // serves its own server and nobody else
	gone    // its server has data, and none of it
	silent  // its server sent nothing
	unknown // its server never had data of it
)

// path is the state of an attachment as one of the ways to its LUN.
type path struct {
	filter detect.Filter
	now    condition
	lost   bool // in this window
	odd    bool // lost in most of the last ones
	fresh  bool // something could be said in this window
	value  int  // accumulator
	grace  int  // windows for which it is excused for having taken over
	role   Role
	heir   int // that serves instead, -1 where nobody does
	onset  Onset
}

// busy says whether a path is one whose latency is to be judged: a standby path
// that rests is not.
func (x *path) busy() bool { return !x.idle() }

// idle says whether a path is there, and no client's requests go by it.
func (x *path) idle() bool { return x.now == resting || x.now == working }

// paths watches which of its paths serves each LUN.
type paths struct {
	*layout
	facts *facts
	k     int
	all   []path  // by component
	moved []int64 // by LUN: end of the step in which another path than the first was first used, 0 while the first is
	busy  []bool  // by peer group: more than half of it has something to do
	own   []bool  // by server: it does light work of its own through standby paths
}

func newPaths(l *layout, f *facts, k int) *paths {
	p := &paths{layout: l, facts: f, k: k, all: make([]path, len(l.system.Components)), moved: make([]int64, len(l.paths))}
	p.busy, p.own = make([]bool, len(l.system.Groups)), make([]bool, len(l.system.Servers))
	for i := range p.all {
		p.all[i].heir = -1
	}
	return p
}

// row remembers since when LUNs are served by another path than their first,
// how often others have a share of the work, and what all of it took.
func (p *paths) row(row *table.Row) {
	now := &p.facts.shifts[p.facts.at]
	for lun, list := range p.paths {
		first, others := p.requests(row, list[0]), 0.0
		for _, c := range list {
			n := p.requests(row, c)
			if c != list[0] {
				others += n
			}
			if took := n * row.Values[p.facts.columns.await][c]; took > 0 {
				now.asked[lun], now.waited[lun] = now.asked[lun]+n, now.waited[lun]+took
			}
		}
		if others > 0 && skewing*others >= first {
			now.aside[lun]++
		}
		switch {
		case first > 0:
			p.moved[lun] = 0
		case p.moved[lun] == 0 && others > 0:
			p.moved[lun] = row.End
		}
	}
}

func (p *paths) requests(row *table.Row, c int) float64 {
	if p.facts.missing(row, c) {
		return 0
	}
	return p.facts.requests(row, c)
}

// tick judges the paths of every LUN over the last window.
func (p *paths) tick(end int64) {
	for _, c := range p.watched {
		p.all[c].now, p.all[c].fresh = p.condition(c), false
	}
	p.groups()
	p.work()
	for lun, list := range p.paths {
		p.judge(lun, list, end)
	}
	for _, c := range p.watched {
		if p.lunOf[c] < 0 {
			p.alone(c, end)
		}
		if x := &p.all[c]; p.tookOver(c) {
			x.grace = 2*p.k - 1 // as long as windows that it was busy in are looked at
		} else if x.grace > 0 {
			x.grace--
		}
	}
}

func (p *paths) condition(c int) condition {
	switch {
	case !p.facts.up(p.serverOf[c]):
		return silent
	case p.facts.samples(c) == 0 && p.facts.lastSeen[c] == 0:
		return unknown
	case p.facts.samples(c) == 0:
		return gone
	case p.facts.load(c) > 0:
		return serving
	}
	return resting
}

// groups finds out in which peer groups there is work for everybody.
func (p *paths) groups() {
	for g := range p.system.Groups {
		busy, there := 0, 0
		for _, c := range p.system.Groups[g].Members {
			switch {
			case p.all[c].now == serving && p.facts.rate(c) >= lightSectors:
				busy, there = busy+1, there+1
			case p.all[c].now == serving, p.all[c].now == resting && p.facts.lastLoaded[c] > 0:
				there++ // what was never used says nothing, and a server's own work little
			}
		}
		p.busy[g] = 2*busy > there
	}
}

// judge finds the paths that a LUN has lost. Those between the first and the one
// that serves count only where the first one does: load on a standby path while
// nobody asks for the LUN is none of theirs.
func (p *paths) judge(lun int, list []int, end int64) {
	at := slices.IndexFunc(list, func(c int) bool { return p.all[c].now == serving })
	ranked := p.of(list[0]).Priority == 1
	for i, c := range list {
		before := ranked && at > i && (i == 0 || p.isLost(list[0]))
		v := p.verdict(c, before)
		if ranked && at >= 0 && at <= i && p.all[c].idle() {
			v = kept // nobody needs it
		}
		p.push(c, v, end)
		if x := &p.all[c]; x.lost && before {
			p.standIn(x, lun, list[0], list[at])
		}
	}
}

// isLost says whether a path does not serve, whatever the reason.
func (p *paths) isLost(c int) bool { return p.all[c].lost || p.all[c].now == silent }

// standIn notes who serves in place of a lost path, and since when: standby
// paths were passed by when the first was lost.
func (p *paths) standIn(x *path, lun, first, heir int) {
	x.heir = heir
	switch {
	case x != &p.all[first] && p.all[first].lost:
		x.onset = p.all[first].onset
	case x.role == Unused && p.moved[lun] > x.onset.Early:
		x.onset.Late = min(x.onset.Late, p.moved[lun])
	}
}

// verdict is what a window says of a path.
type verdict uint8

const (
	says verdict = iota // nothing
	kept
	goes  // gone
	rests // unused
)

// verdict says whether a path is lost. Before are those that ought to serve in
// place of the one that does.
func (p *paths) verdict(c int, before bool) verdict {
	group := p.of(c).Group - 1
	switch x := &p.all[c]; {
	case x.now == serving:
		return kept
	case x.now == gone:
		return goes
	case x.now == unknown && before:
		return goes
	case x.now == resting && before && (p.busy[group] || p.standby(c)):
		return rests
	case x.idle() && x.role == Gone:
		return kept // it is back
	}
	return says
}

// alone judges a drive, which has no other path: it is lost where it is gone.
func (p *paths) alone(c int, end int64) {
	switch p.all[c].now {
	case serving:
		p.push(c, kept, end)
	case gone:
		p.push(c, goes, end)
	}
}

// push counts a verdict on a path.
func (p *paths) push(c int, v verdict, end int64) {
	if v == says {
		return
	}
	x := &p.all[c]
	if v == rests && x.role == Gone {
		*x = path{now: x.now, grace: x.grace, heir: -1} // it is back
		v = kept
	}
	x.fresh = true
	if x.lost = v != kept; x.lost {
		x.role = Gone
		if v == rests {
			x.role = Unused
		}
		if x.filter == 0 && x.value == 0 {
			x.onset = p.onset(c, v, end)
		}
	}
	was := x.odd
	if x.odd = x.filter.Push(x.lost, p.k); x.odd && !was {
		x.value = max(x.value, p.k-1) // those that the filter waited for count
	}
	if x.odd {
		x.value++
	} else if x.value > 0 {
		x.value--
	}
	if !x.odd && !x.lost {
		x.heir = -1
	}
}

// onset is between the last time that the path was there, or in use, and now.
func (p *paths) onset(c int, v verdict, end int64) Onset {
	last, late := p.facts.lastSeen[c], p.facts.lastSeen[c]+int64(p.facts.step)
	if v == rests {
		last, late = p.facts.lastLoaded[c], end
	}
	if lun := p.lunOf[c]; last == 0 && v == rests && lun >= 0 && p.moved[lun] > p.facts.begin+int64(p.facts.step) {
		return Onset{At: p.moved[lun], Early: p.facts.begin, Late: p.moved[lun]} // a standby path that was never needed
	}
	if last == 0 {
		return Onset{At: p.facts.begin, Early: p.facts.begin, Late: p.facts.begin, Earlier: true}
	}
	return Onset{At: last, Early: last, Late: late}
}

// tookOver says whether a component carries the load of paths that were lost,
// or may have been.
func (p *paths) tookOver(c int) bool {
	lun := p.lunOf[c]
	if lun < 0 || !p.standby(c) {
		return false
	}
	for _, other := range p.paths[lun] {
		if other == c {
			return true
		}
		if x := &p.all[other]; !x.lost && !x.odd && x.now != silent {
			return false
		}
	}
	return false
}

// forget makes a path one that nothing is known of.
func (p *paths) forget(c int) { p.all[c] = path{heir: -1} }
