package fleet

import (
	"fmt"
	"slices"
	"time"
)

// A study measures a fleet as T16 §3.3 and §4 say, from the records alone and
// without haste: the twin of what the fleet counts while it is drawn.
type study struct {
	drives []Drive
	groups [][2]int // first data drive, and one past the last
	start  time.Time

	kinds map[Kind]*figures
	by    map[string]*shares // of drive hours, by flash, vendor, model or age
	mine  [][]*shares        // of them, those that a drive belongs to
	lives []life             // by drive
	rio   []raidHour         // by group, the last hour

	values                []float64 // to find a median
	slowdown, rate, large []float64 // of a group's drives
}

// figures are sums over the drives of one kind.
type figures struct {
	Counts
	slowdowns        []float64 // all that are mild at least
	eighth           []float64 // all of disks in their eighth year
	exactly2         int64     // longest tails
	rate, rateSlow   int64     // imbalanced hours, and slow ones of them
	size, sizeSlow   int64
	byHour           [hoursPerDay]int64
	calm, calmFell   int64 // from a stable hour to another, and with half the I/Os or less
	tense, tenseFell int64 // from a stable hour to a tail hour
}

type shares struct{ hours, mild, slow int64 }

// A life is what happened to a drive, by the hours since the begin.
type life struct {
	slow, mild, warned []int // hours; mild without the slow ones
	pulled, back       []float64
	severe, eighth     bool
}

type raidHour struct {
	hour int
	ios  float64
	tail bool
}

func newStudy(f *Fleet) *study {
	s := &study{drives: f.Drives(), start: f.options.Start}
	s.kinds = map[Kind]*figures{Disk: {}, SSD: {}}
	s.by = map[string]*shares{}
	s.lives = make([]life, len(s.drives))
	for i, d := range s.drives {
		f := s.kinds[d.Kind]
		f.Drives++
		s.mine = append(s.mine, s.classes(&d))
		if d.Slot == 1 {
			s.groups = append(s.groups, [2]int{i, i})
			f.Groups++
		}
		if d.Role == Data {
			s.groups[len(s.groups)-1][1] = i + 1
			f.DataDrives++
		}
	}
	for i, d := range s.drives {
		s.lives[i].eighth = d.Kind == Disk && s.year(&d) == 8
	}
	s.rio = make([]raidHour, len(s.groups))
	return s
}

// classes are what a drive is compared by.
func (s *study) classes(d *Drive) []*shares {
	var mine []*shares
	for _, key := range []string{d.Flash, "vendor " + d.Vendor + d.Flash, "model " + d.Model, fmt.Sprint(string(d.Kind)+" year ", s.year(d))} {
		if s.by[key] == nil {
			s.by[key] = &shares{}
		}
		mine = append(mine, s.by[key])
	}
	return mine
}

// year is that of the drive's life at the begin.
func (s *study) year(d *Drive) int { return int(s.start.Sub(d.Deployed)/oneYear) + 1 }

// studyOf studies a whole fleet.
func studyOf(f *Fleet) *study {
	s := newStudy(f)
	for h := range f.Hours() {
		s.hour(h)
	}
	s.finish()
	return s
}

func (s *study) hour(h *Hour) {
	hour := int(h.Time.Sub(s.start) / time.Hour)
	for i, n := range h.IOs {
		f := s.kinds[s.drives[i].Kind]
		f.Records += count(n != Absent)
		f.Missing += count(n == Absent)
		f.Idle += count(n == 0)
	}
	for i, g := range s.groups {
		s.group(h, hour, i, g[0], g[1])
	}
	for _, e := range h.Events {
		l := &s.lives[e.Drive]
		switch at := e.Time.Sub(s.start).Hours(); e.What {
		case Unplugged:
			l.pulled = append(l.pulled, at)
		case Replugged:
			l.back = append(l.back, at)
		default:
			l.warned = append(l.warned, hour)
		}
	}
}

// ratios appends the values over their median, of the drives with I/O; 0 for
// the others. Fewer than three have none.
func (s *study) ratios(out []float64, column, ios []int32) []float64 {
	s.values = s.values[:0]
	for i, n := range ios {
		if n > 0 {
			s.values = append(s.values, float64(column[i]))
		}
	}
	n := len(s.values)
	if n < 3 {
		return nil
	}
	slices.Sort(s.values)
	median := (s.values[(n-1)/2] + s.values[n/2]) / 2
	for i := range ios {
		ratio := 0.0
		if ios[i] > 0 {
			ratio = float64(column[i]) / median
		}
		out = append(out, ratio)
	}
	return out
}

func (s *study) group(h *Hour, hour, g, from, to int) {
	ios := h.IOs[from:to]
	slowdown := s.ratios(s.slowdown[:0], h.LatencyUs[from:to], ios)
	if slowdown == nil {
		return
	}
	rate, large := s.ratios(s.rate[:0], ios, ios), s.ratios(s.large[:0], h.SizeBytes[from:to], ios)
	s.slowdown, s.rate, s.large = slowdown, rate, large
	f := s.kinds[s.drives[from].Kind]
	f.GroupHours++
	for i, x := range slowdown {
		if x == 0 {
			continue
		}
		f.DriveHours++
		f.byHour[h.Time.Hour()] += count(x >= 2)
		f.rate += count(rate[i] >= 2)
		f.rateSlow += count(rate[i] >= 2 && x >= 2)
		f.size += count(large[i] >= 2)
		f.sizeSlow += count(large[i] >= 2 && x >= 2)
		s.drive(f, x, hour, from+i)
	}
	slices.Sort(slowdown)
	s.tails(f, slowdown[len(slowdown)-3:])
	s.degradation(f, &s.rio[g], hour, ios, slowdown[len(slowdown)-1] >= 2)
}

func (s *study) tails(f *figures, t []float64) {
	f.Tail15 += count(t[2] >= 1.5)
	f.Tail1 += count(t[2] >= 2)
	f.Tail2 += count(t[1] >= 2)
	f.Tail3 += count(t[0] >= 2)
	f.exactly2 += count(t[2] == 2)
}

func (s *study) drive(f *figures, x float64, hour, i int) {
	if l := &s.lives[i]; l.eighth {
		f.eighth = append(f.eighth, x)
	}
	for _, b := range s.mine[i] {
		b.hours++
		b.mild += count(x >= 1.5)
		b.slow += count(x >= 2)
	}
	if x < 1.5 {
		return
	}
	f.slowdowns = append(f.slowdowns, x)
	f.Exact += count(x == 1.5 || x == 2 || x == 3)
	l := &s.lives[i]
	if x < 2 {
		l.mild = append(l.mild, hour)
		return
	}
	l.slow = append(l.slow, hour)
	if x >= 16 && !l.severe {
		l.severe = true
		f.Ever16++
	}
}

// degradation compares the group's I/O count with that of the hour before.
func (s *study) degradation(f *figures, last *raidHour, hour int, ios []int32, tail bool) {
	now := raidHour{hour: hour, tail: tail}
	for _, n := range ios {
		now.ios += float64(max(0, n))
	}
	if last.hour == hour-1 && last.ios > 0 && !last.tail {
		fell := count(last.ios/now.ios >= 2)
		if tail {
			f.tense++
			f.tenseFell += fell
		} else {
			f.calm++
			f.calmFell += fell
		}
	}
	*last = now
}
