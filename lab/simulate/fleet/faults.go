package fleet

import (
	"math/rand/v2"
	"slices"
)

// faults are the faults of one group: the permanent ones always, the others while they last.
type faults struct {
	all         []*fault
	relapses    []relapse
	slow, mild  float64   // probability per hour of a fault that occurs once
	falseAlarms float64   // probability per hour of an event without a slowdown
	accept      []float64 // by data drive: probability that a drawn drive becomes part of a fault
}

// A relapse is a drive that will be slow again soon after it was put back.
type relapse struct {
	drive, hour int
	mild        bool
}

// settling is the number of hours for which faults are simulated before the first record, so that
// some bouts are in progress at the first record.
const settling = 200

func newFaults(rng *rand.Rand, b *behaviour, l *layout) faults {
	slow, mild := l.intensity(b)
	n := float64(l.data) / b.Spread.mean(l.data) // number of faults, if every drive had one
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

// falseToTrue is the number of events without a slowdown for each event with a slowdown: 90 % of
// events lead to a slowdown (T16 §4.3.1).
const falseToTrue = 0.1 / 0.9

// intensity returns how often the drives of the group are slow, and mildly slow, relative to the
// slow hours of an average drive.
func (l *layout) intensity(b *behaviour) (slow, mild float64) {
	slow, mild = 1, b.Tail.mildShare()
	if l.model.Slow > 0 {
		slow, mild = l.model.Slow/b.expectedSlow(), l.model.Mild/b.expectedSlow()
	}
	age := b.Ages[l.year-1].Slowdowns / b.usualAge()
	return slow * age, mild * age
}

// acceptance returns, by drive, the probability that a drawn drive becomes part of a fault. It is
// smaller for drives that are younger than their group.
func (l *layout) acceptance(b *behaviour) []float64 {
	accept := make([]float64, l.data)
	for i := range accept {
		accept[i] = min(1, b.Ages[l.years[i]-1].Slowdowns/b.Ages[l.year-1].Slowdowns)
	}
	return accept
}

// stand adds permanent faults, mean of them on average.
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

// step moves all faults to the next hour.
func (f *faults) step(rng *rand.Rand, b *behaviour, hour int) {
	for _, one := range f.all {
		one.step(rng, b)
	}
	f.all = slices.DeleteFunc(f.all, (*fault).over)
	f.arrive(rng, b)
	f.relapsed(rng, b, hour)
}

// arrive draws whether a fault that occurs once begins.
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
