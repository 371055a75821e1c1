package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// A twin reduces records without haste: all of them at once, by maps, medians
// by sorting, bins by the logarithm.
type twin struct {
	*Fleet
	Options
	out   Reduction
	cells map[string]*Cell
	work  map[place][]int32 // hours, by drive and preliminary cell
}

type row struct {
	hour, group, drive int32
	ios, latency, size float64
}

func newTwin(f *Fleet, o Options) *twin {
	return &twin{Fleet: f, Options: o, out: Reduction{Options: o}, cells: map[string]*Cell{}, work: map[place][]int32{}}
}

// reduce reduces the batches, in which rows may stand in any order.
func (t *twin) reduce(batches ...*Batch) *Reduction {
	for d := range Directions {
		blocks := map[[2]int32][]row{}
		for _, b := range batches {
			if int(b.Direction) == d {
				t.sort(&t.out.Accounts[d], b, blocks)
			}
		}
		keys := slices.SortedFunc(mapKeys(blocks), func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
		for _, k := range keys {
			t.block(Direction(d), k[0], k[1], blocks[k])
		}
	}
	return t.ordered()
}

func mapKeys(m map[[2]int32][]row) func(func([2]int32) bool) {
	return func(yield func([2]int32) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// sort puts rows into their blocks, with those of parity drives.
func (t *twin) sort(a *Account, b *Batch, blocks map[[2]int32][]row) {
	for i := range b.Hour {
		r := row{b.Hour[i], b.Group[i], b.Drive[i], float64(b.IOs[i]), float64(b.Latency[i]), float64(b.Size[i])}
		a.Rows++
		k := [2]int32{r.group, r.hour}
		if t.Drives[r.drive].Role == Parity {
			a.Parity++
			blocks[k] = append(blocks[k], r)
			continue
		}
		if _, ok := blocks[k]; !ok {
			blocks[k] = nil
		}
		switch {
		case r.ios < 0 || r.latency < 0 || r.ios > 1<<40 || r.latency > 86_400_000_000:
			a.Invalid++
		case r.ios == 0:
			a.Idle++
		case r.latency == 0:
			a.ZeroLatency++
		case math.IsNaN(r.latency):
			a.NoLatency++
		default:
			blocks[k] = append(blocks[k], r)
		}
	}
}

// members are the best rows of the data drives, by drive.
func (t *twin) members(a *Account, rows []row) (members []row, parity int32) {
	best, spare := map[int32]row{}, map[int32]bool{}
	for _, r := range rows {
		if t.Drives[r.drive].Role == Parity {
			spare[r.drive] = true
			continue
		}
		had, twice := best[r.drive]
		if twice {
			a.Duplicate++
		}
		if !twice || less(had, r) {
			best[r.drive] = r
		}
	}
	for _, r := range best {
		members = append(members, r)
	}
	slices.SortFunc(members, func(a, b row) int { return cmp.Compare(a.drive, b.drive) })
	return members, int32(len(spare))
}

func less(a, b row) bool {
	return cmp.Or(cmp.Compare(a.ios, b.ios), cmp.Compare(a.latency, b.latency), cmp.Compare(a.size, b.size)) < 0
}

func (t *twin) block(d Direction, group, hour int32, rows []row) {
	a := &t.out.Accounts[d]
	members, parity := t.members(a, rows)
	kinds, kind := map[Kind]bool{}, Unknown
	for _, r := range members {
		if k := t.Drives[r.drive].Kind; k != Unknown {
			kinds[k], kind = true, k
		}
	}
	n := int64(len(members))
	switch {
	case n == 0:
		a.IdleHours++
	case n < 3:
		a.Narrow += n
		a.NarrowHours++
	case len(kinds) > 1:
		a.Mixed += n
		a.MixedHours++
	default:
		a.Counted += n
		t.count(d, kind, hour, members, parity)
	}
}

func (t *twin) cell(d Direction, k Kind, group int32) (*Cell, *Spread) {
	if t.out.spread(d, k) == nil {
		t.out.Spreads = append(t.out.Spreads, &Spread{Direction: d, Kind: k})
	}
	key := fmt.Sprint(d, k, group)
	if t.cells[key] == nil {
		t.cells[key] = &Cell{Direction: d, Kind: k, Group: group, Steps: make([]Step, len(t.Thresholds))}
	}
	return t.cells[key], t.out.spread(d, k)
}

// over are values over their median, of what is positive; NaN otherwise.
func over(values []float64) []float64 {
	var known []float64
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			known = append(known, v)
		}
	}
	slices.Sort(known)
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = math.NaN()
		if n := len(known); n >= 3 && v > 0 && !math.IsInf(v, 0) {
			out[i] = v / ((known[(n-1)/2] + known[n/2]) / 2)
		}
	}
	return out
}

func bin(r float64) int {
	return min(max(int(math.Floor(math.Log2(r)*PerDoubling))+Bins/2, 0), Bins-1)
}

func (t *twin) count(d Direction, k Kind, hour int32, members []row, parity int32) {
	c, s := t.cell(d, k, members[0].group)
	var latency, ios, size []float64
	for _, r := range members {
		latency, ios, size = append(latency, r.latency), append(ios, r.ios), append(size, r.size)
	}
	slow, rate, large := over(latency), over(ios), over(size)
	for i, r := range members {
		s.Slowdown[bin(slow[i])]++
		if rate[i] >= 2 {
			c.Busy++
			s.Busy[bin(slow[i])]++
		}
		if large[i] >= 2 {
			c.Large++
			s.Large[bin(slow[i])]++
		}
		if slow[i] >= min(1.5, t.Thresholds[0]) {
			t.out.Slow = append(t.out.Slow, SlowHour{t.index(c), r.drive, hour, down(rate[i]), down(large[i]), 0, slow[i]})
		}
		at := place{r.drive, t.index(c)}
		t.work[at] = append(t.work[at], hour)
	}
	slices.Sort(slow)
	n := len(slow)
	for i := range 3 {
		s.Tails[i][bin(slow[n-1-i])]++
		c.TailSum[i] += int64(min(slow[n-1-i], 65536) * 65536)
	}
	t.time(c, hour, int64(n), parity)
	t.step(c, s, Edge{hour, total(ios), slow[n-1]})
}

// index is a preliminary one, that tells cells apart.
func (t *twin) index(c *Cell) int32 {
	return int32(c.Direction)*1_000_000 + int32(c.Kind)*100_000 + c.Group
}

func total(ios []float64) int64 {
	var sum float64
	for _, n := range ios {
		sum += math.Floor(n * 256)
	}
	if math.IsNaN(sum) {
		return 0
	}
	return int64(sum)
}

// year is that of a drive's life.
func (t *twin) year(drive, hour int32) int32 {
	at := t.Drives[drive].Deployed
	if at.IsZero() {
		return 0
	}
	lived := time.Unix(int64(hour)*3600, 0).Sub(at.Truncate(time.Hour))
	return int32(max(0, lived)/(8766*time.Hour)) + 1
}

// sit makes seats of the hours that drives were at work.
func (t *twin) sit() {
	for at, hours := range t.work {
		var s *Seat
		for i, hour := range hours {
			if i == 0 || hour-hours[i-1] > 24 || t.year(at.drive, hour) != s.Year {
				t.out.Seats = append(t.out.Seats, Seat{Cell: at.cell, Drive: at.drive, Year: t.year(at.drive, hour), First: hour})
				s = &t.out.Seats[len(t.out.Seats)-1]
			}
			s.Last = hour
			s.Hours++
		}
	}
	for i := range t.out.Slow {
		t.out.Slow[i].Turn = t.turn(&t.out.Slow[i])
	}
}

func (t *twin) turn(h *SlowHour) Turn {
	hours := t.work[place{h.Drive, h.Cell}]
	for _, s := range t.out.Seats {
		if s.Cell == h.Cell && s.Drive == h.Drive && s.First <= h.Hour && h.Hour <= s.Last {
			nth := 1 + slices.Index(hours, h.Hour) - slices.Index(hours, s.First)
			return NewTurn(int64(nth), slices.Contains(hours, h.Hour+1))
		}
	}
	panic("a slow hour that no drive was at work in")
}

func (t *twin) time(c *Cell, hour int32, n int64, parity int32) {
	at := time.Unix(int64(hour)*3600, 0).In(t.Zone)
	c.Hours++
	c.DriveHours += n
	c.ByHour[at.Hour()] += n
	c.Parity = max(c.Parity, parity)
	month := int32(at.Year()*12+int(at.Month())) - 1
	if m := len(c.Months); m == 0 || c.Months[m-1].Index != month {
		c.Months = append(c.Months, Month{Index: month})
	}
	c.Months[len(c.Months)-1].Hours++
	c.Months[len(c.Months)-1].DriveHours += n
}

func (t *twin) step(c *Cell, s *Spread, now Edge) {
	if len(c.Spans) == 0 {
		c.Spans = []Span{{now, now}}
		return
	}
	last := c.Spans[0].Last
	c.Spans[0].Last = now
	if last.Hour+1 != now.Hour || last.IOs == 0 || now.IOs == 0 {
		return
	}
	fall := float64(last.IOs) / float64(now.IOs)
	for i, x := range t.Thresholds {
		switch {
		case last.Tail >= x:
		case now.Tail >= x:
			c.Steps[i].Tense++
			s.Tense[i][bin(fall)]++
			if fall >= 2 {
				c.Steps[i].TenseFell++
			}
		default:
			c.Steps[i].Calm++
			s.Calm[i][bin(fall)]++
			if fall >= 2 {
				c.Steps[i].CalmFell++
			}
		}
	}
}

// ordered puts all into order, and gives cells their indices.
func (t *twin) ordered() *Reduction {
	r := &t.out
	t.sit()
	slices.SortFunc(r.Spreads, func(a, b *Spread) int {
		return cmp.Or(cmp.Compare(a.Direction, b.Direction), cmp.Compare(a.Kind, b.Kind))
	})
	at := map[int32]int32{}
	for _, c := range t.cells {
		r.Cells = append(r.Cells, *c)
	}
	slices.SortFunc(r.Cells, func(a, b Cell) int { return cmp.Compare(t.index(&a), t.index(&b)) })
	for i := range r.Cells {
		at[t.index(&r.Cells[i])] = int32(i)
	}
	for i := range r.Slow {
		r.Slow[i].Cell = at[r.Slow[i].Cell]
	}
	for i := range r.Seats {
		r.Seats[i].Cell = at[r.Seats[i].Cell]
	}
	slices.SortFunc(r.Slow, func(a, b SlowHour) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Drive, b.Drive), cmp.Compare(a.Hour, b.Hour))
	})
	slices.SortFunc(r.Seats, func(a, b Seat) int {
		return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Drive, b.Drive), cmp.Compare(a.First, b.First))
	})
	return r
}
