package incident

import (
	"github.com/limpet-storage/limpet/detect"
)

// What a server does for itself goes past the first paths of its LUNs, and is
// light: the cache answers. Elsewhere first paths have such requests, too. Who
// lacks them looks slow beside who has them, so that such a LUN is judged by all
// of its requests, whatever path they took.

// excused says whether a server's own work explains what a component shows. It
// makes no path far slower than the others that it goes by, and no LUN slow as a
// whole.
func (t *Tracker) excused(v *detect.Verdict) bool {
	c := v.Component
	switch {
	case t.paths.all[c].now == working:
		return v.Median < skewed*t.own[t.serverOf[c]]
	case !t.paths.skews(c) && !t.seldom(c):
		return false
	}
	if whole := t.whole(t.lunOf[c]); whole > 0 {
		return whole < heirRatio
	}
	return ratio(v, t.schema.Metrics[t.lead].Noise) < skewed
}

// seldom says whether a component has something to do in far fewer steps than
// those that it is compared with: what these show at other times, such as light
// work of a server that reaches them alone, does not make it slow.
func (t *Tracker) seldom(c int) bool {
	first := c
	if t.lunOf[c] >= 0 && t.paths.all[c].grace > 0 {
		first = t.layout.paths[t.lunOf[c]][0]
	}
	return 4*float64(t.facts.loaded(c)) < 3*t.often[t.of(first).Group-1]
}

// skewed is how many times slower a path may look for lack of requests that a
// cache answers: about what a disk takes longer.
const skewed = 10

// whole is how many times slower than others a LUN is over all of its paths; 0
// where that is not known.
func (t *Tracker) whole(lun int) float64 {
	if lun < 0 {
		return 0
	}
	usual := t.wait[t.of(t.layout.paths[lun][0]).Group-1]
	if usual == 0 {
		return 0
	}
	return t.facts.wait(lun) / usual
}

// waits are what LUNs take over all of their paths, by the peer group of the
// first.
func (t *Tracker) waits() {
	all := make([][]float64, len(t.wait))
	for lun, list := range t.layout.paths {
		if wait := t.facts.wait(lun); wait > 0 {
			group := t.of(list[0]).Group - 1
			all[group] = append(all[group], wait)
		}
	}
	for g := range t.wait {
		t.wait[g] = median(all[g])
	}
}

// owns are what servers wait for in work of their own.
func (t *Tracker) owns() {
	all := make([][]float64, len(t.own))
	for i := range t.heard {
		for _, v := range t.heard[i].verdicts {
			if t.paths.all[v.Component].now == working && v.Median > 0 {
				all[t.serverOf[v.Component]] = append(all[t.serverOf[v.Component]], v.Median)
			}
		}
	}
	for s := range t.own {
		t.own[s] = median(all[s])
	}
}
