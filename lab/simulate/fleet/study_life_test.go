package fleet

import "slices"

// finish counts what needs a drive's whole life.
func (s *study) finish() {
	for i, d := range s.drives {
		f, l := s.kinds[d.Kind], &s.lives[i]
		f.Warnings += int64(len(l.warned))
		f.Unplugged += int64(len(l.pulled))
		f.Replugged += int64(len(l.back))
		n := len(l.slow)
		f.EverSlow += count(n > 0)
		f.Under5 += count(n > 0 && n < 5)
		f.Over100 += count(n >= 100)
		f.repetitions(l.slow)
		for _, r := range runs(l.slow) {
			f.RunsPast1 += count(r.hours > 1)
			f.Runs8 += count(r.hours >= 8)
			f.Runs++
		}
	}
	for _, f := range s.kinds {
		slices.Sort(f.slowdowns)
		slices.Sort(f.eighth)
		f.Slow15, f.Slow2 = f.from(1.5), f.from(2)
		f.Slow9, f.Slow30, f.Slow100, f.Slow1000 = f.from(9), f.from(30), f.from(100), f.from(1000)
	}
}

func (f *figures) repetitions(hours []int) {
	for k := 1; k < len(hours); k++ {
		f.Repeats++
		f.RepeatsDay += count(hours[k]-hours[k-1] <= hoursPerDay)
	}
}

// from counts slowdowns of at least x.
func (f *figures) from(x float64) int64 {
	i, _ := slices.BinarySearch(f.slowdowns, x)
	return int64(len(f.slowdowns) - i)
}

// at is the slowdown that the share of all drive hours reach.
func (f *figures) at(share float64) float64 {
	n := int(share * float64(f.DriveHours))
	if n == 0 || n > len(f.slowdowns) {
		return 0
	}
	return f.slowdowns[len(f.slowdowns)-n]
}

type run struct{ begin, hours int }

// runs are the stretches of consecutive hours.
func runs(hours []int) []run {
	var out []run
	for k, h := range hours {
		if k == 0 || h != hours[k-1]+1 {
			out = append(out, run{h, 0})
		}
		out[len(out)-1].hours++
	}
	return out
}

// soon reports whether one of the times is in the day from t on.
func soon(times []float64, t float64) bool {
	return slices.ContainsFunc(times, func(x float64) bool { return x >= t && x <= t+hoursPerDay })
}

func floats(hours []int) []float64 {
	out := make([]float64, len(hours))
	for i, h := range hours {
		out[i] = float64(h)
	}
	return out
}

// plugs are the figures of T16 §4.4.2 and §4.4.3, and of events (§4.3.1).
type plugs struct {
	runs, pulled         int // slow runs, and those with the drive pulled within a day
	mildRuns, mildPulled int
	out, back            int // drives pulled, and put back
	in2, in10            int // hours out
	slowBack, relapsed   int // put back after a slow run, and slow again within a day
	warned, led          int // events, and those with a slow hour in the day after
	near                 int // runs with an event in the day before
}

func (s *study) plugs(kind Kind) plugs {
	var p plugs
	for i := range s.drives {
		if s.drives[i].Kind == kind {
			p.life(&s.lives[i])
		}
	}
	return p
}

func (p *plugs) life(l *life) {
	slow := floats(l.slow)
	for _, r := range runs(l.slow) {
		p.runs++
		p.pulled += int(count(soon(l.pulled, float64(r.begin))))
		p.near += int(count(soon(floats(l.warned), float64(r.begin-hoursPerDay))))
	}
	for _, r := range runs(l.mild) {
		p.mildRuns++
		p.mildPulled += int(count(soon(l.pulled, float64(r.begin))))
	}
	for k, t := range l.pulled {
		p.out++
		if k == len(l.back) {
			break
		}
		p.back++
		p.in2 += int(count(l.back[k]-t <= 2))
		p.in10 += int(count(l.back[k]-t <= 10))
		if soon(slow, t-hoursPerDay) {
			p.slowBack++
			p.relapsed += int(count(soon(slow, l.back[k])))
		}
	}
	for _, h := range l.warned {
		p.warned++
		p.led += int(count(soon(slow, float64(h))))
	}
}
