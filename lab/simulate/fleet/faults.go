package fleet

import (
	"math/rand/v2"
	"slices"
)

// faults are those of one group: the standing ones for ever, others while they
// last.
type faults struct {
	all         []*fault
	relapses    []relapse
	slow, mild  float64   // chance in an hour of a fault that comes once
	falseAlarms float64   // of an event that leads to nothing
	accept      []float64 // how readily each data drive becomes part of one
}

// A relapse is a drive that will be slow again soon after it was put back.
type relapse struct {
	drive, hour int
	mild        bool
}

// settling is how many hours faults are led through before the fleet is
// watched: long enough for bouts that are under way at its begin.
const settling = 200

func newFaults(rng *rand.Rand, b *behaviour, l *layout) faults {
	slow, mild := l.intensity(b)
	n := float64(l.data) / b.Spread.mean(l.data) // faults, were every drive in one
	once := n * b.Rare / b.Chain.meanRun()
	f := faults{slow: slow * once, mild: mild * once, accept: l.acceptance(b)}
	runs := n * slow * b.expectedSlow() / b.Chain.meanRun()
	f.falseAlarms = b.Warned * runs * falseToTrue
	for _, w := range b.Standing {
		f.stand(rng, b, w, n*slow*w.Drives, false)
		f.stand(rng, b, w, n*mild*w.Drives, true)
	}
	for range settling {
		f.step(rng, b, -1)
	}
	return f
}

// falseToTrue is the events that lead to nothing for each that leads to a
// slowdown: 90 % do (T16 §4.3.1).
const falseToTrue = 0.1 / 0.9

// intensity is how often the group's drives are slow, and mildly slow, for each
// slow hour of an average drive.
func (l *layout) intensity(b *behaviour) (slow, mild float64) {
	slow, mild = 1, b.Tail.mildShare()
	if l.model.Slow > 0 {
		slow, mild = l.model.Slow/b.expectedSlow(), l.model.Mild/b.expectedSlow()
	}
	age := b.Ages[l.year-1].Slowdowns / b.usualAge()
	return slow * age, mild * age
}

// acceptance is how readily a drive becomes part of a fault: one that is
// younger than its group less so.
func (l *layout) acceptance(b *behaviour) []float64 {
	accept := make([]float64, l.data)
	for i := range accept {
		accept[i] = min(1, b.Ages[l.years[i]-1].Slowdowns/b.Ages[l.year-1].Slowdowns)
	}
	return accept
}

// stand adds standing faults, so many on average.
func (f *faults) stand(rng *rand.Rand, b *behaviour, w weak, mean float64, mild bool) {
	for range poisson(rng, mean) {
		one := newFault(rng, f.pick(rng, b), mild)
		one.onset = b.Chain.onset(w.Hours)
		f.all = append(f.all, one)
	}
}

// pick draws the drives of a fault.
func (f *faults) pick(rng *rand.Rand, b *behaviour) []int {
	n := b.Spread.draw(rng, len(f.accept))
	var members []int
	for _, i := range rng.Perm(len(f.accept)) {
		if len(members) < n && rng.Float64() < f.accept[i] {
			members = append(members, i)
		}
	}
	return members
}

// step takes all faults to the hour's end.
func (f *faults) step(rng *rand.Rand, b *behaviour, hour int) {
	for _, one := range f.all {
		one.step(rng, b)
	}
	f.all = slices.DeleteFunc(f.all, (*fault).over)
	f.arrive(rng, b)
	f.relapsed(rng, b, hour)
}

// arrive draws whether a fault comes that comes once.
func (f *faults) arrive(rng *rand.Rand, b *behaviour) {
	if u := rng.Float64(); u < f.slow+f.mild {
		f.all = append(f.all, newFault(rng, f.pick(rng, b), u >= f.slow).strike(rng, b))
	}
}

// plan plans a relapse, within a day, of a drive that was put back in the hour.
func (f *faults) plan(rng *rand.Rand, drive, hour int, mild bool) {
	f.relapses = append(f.relapses, relapse{drive, hour + 1 + rng.IntN(hoursPerDay-2), mild})
}

// relapsed begins the relapses that are due in the next hour.
func (f *faults) relapsed(rng *rand.Rand, b *behaviour, hour int) {
	f.relapses = slices.DeleteFunc(f.relapses, func(r relapse) bool {
		due := r.hour <= hour+1
		if due {
			one := newFault(rng, []int{r.drive}, r.mild)
			one.relapse = true
			f.all = append(f.all, one.strike(rng, b))
		}
		return due
	})
}
