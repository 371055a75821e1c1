// This file counts the hours of a group and of its drives, keeps the slow hours, and compares
// the I/Os of an hour with the I/Os of the hour before (T16 §4.4.1).

package study

import (
	"fmt"
	"math"
)

// countTime counts the hour of the block by hour of the day and by month.
func (l *lane) countTime(c *Cell) {
	k := &l.block
	n := int64(len(k.drives))
	l.calendar.look(k.hour)
	c.Hours++
	c.DriveHours += n
	c.ByHour[l.calendar.hourOfDay(k.hour)] += n
	c.Parity = max(c.Parity, k.parity)
	if m := len(c.Months); m == 0 || c.Months[m-1].Index != l.calendar.month {
		c.Months = append(c.Months, Month{Index: l.calendar.month})
	}
	m := &c.Months[len(c.Months)-1]
	m.Hours++
	m.DriveHours += n
}

// seat counts the hour of the block in the seat of each member.
func (l *lane) seat(cell int32) {
	hour := l.block.hour
	for _, d := range l.block.drives {
		i := l.marks[d].seat
		if i < 0 || l.seats[i].Cell != cell || hour >= l.ends[i] || hour-l.seats[i].Last > AwayHours {
			i = l.findSeat(d, cell, hour)
			l.marks[d].seat = i
		}
		s := &l.seats[i]
		s.Last = hour
		s.Hours++
	}
}

// findSeat returns the index of a drive's seat in a cell, and adds a seat if there is none.
func (l *lane) findSeat(drive, cell, hour int32) int32 {
	year, end := lifeYear(l.drives[drive].deployed, hour)
	at := place{drive, cell}
	i, ok := l.seatOf[at]
	if !ok || l.seats[i].Year != year || hour-l.seats[i].Last > AwayHours {
		i = int32(len(l.seats))
		l.seats = append(l.seats, Seat{Cell: cell, Drive: drive, Year: year, First: hour})
		l.ends = append(l.ends, end)
		l.seatOf[at] = i
	}
	return i
}

// cell returns the index of the cell of a group and kind, and adds a cell if there is none.
func (l *lane) cell(group int32, kind Kind) int32 {
	at := int(group)*Kinds + int(kind)
	for at >= len(l.cellOf) {
		l.cellOf = append(l.cellOf, 0)
	}
	if l.cellOf[at] == 0 {
		l.cells = append(l.cells, Cell{
			Direction: l.direction, Kind: kind, Group: group,
			Steps: make([]Step, len(l.options.Thresholds)),
		})
		l.recent = append(l.recent, recent{})
		l.cellOf[at] = int32(len(l.cells))
		if l.spreads[kind] == nil {
			l.spreads[kind] = &Spread{Direction: l.direction, Kind: kind}
		}
	}
	return l.cellOf[at] - 1
}

// markContinued sets goesOnBit in the slow hours of the hour before, if their drives are also
// members in this hour.
func (l *lane) markContinued(cell int32) {
	r := l.recent[cell]
	if r.hour+1 != l.block.hour {
		return
	}
	for i := r.from; i < r.to; i++ {
		if s := &l.slow[i]; l.marks[s.Drive].serial == l.serial {
			s.Turn |= goesOnBit
		}
	}
}

// mostSlow is the largest number of slow hours that are kept, which need 2 GB. At a threshold
// of 1.5×, T16's fleet has a tenth of this number.
const mostSlow = 1 << 26

// tooMany returns the error for a threshold at which too many hours are slow.
func tooMany(slow int64, kept float64) error {
	return fmt.Errorf("limpet has already found %d drive hours with a slowdown of %v× or more, and each of these drive hours needs memory: choose a larger threshold", slow, kept)
}

// keepSlow keeps the slow hours of the members in the block.
func (l *lane) keepSlow(cell int32, median float64) {
	k := &l.block
	from := len(l.slow)
	rate, size := l.medianOf(k.ios), l.medianOf(k.size)
	for i, v := range k.latency {
		if s := value(v) / median; s >= l.kept {
			l.slow = append(l.slow, SlowHour{
				Cell: cell, Drive: k.drives[i], Hour: k.hour, S: s,
				Rate: down(valid(k.ios[i]) / rate), Size: down(valid(k.size[i]) / size),
				Turn: NewTurn(l.seats[l.marks[k.drives[i]].seat].Hours, false),
			})
		}
	}
	l.Reducer.slow.Add(int64(len(l.slow) - from))
	l.recent[cell] = recent{k.hour, from, len(l.slow)}
}

// down rounds down, so that no value reaches a threshold by rounding.
func down(v float64) float32 {
	near := float32(v)
	if float64(near) > v {
		near = math.Nextafter32(near, 0)
	}
	return near
}

// countStep compares the I/Os of the group with its I/Os in the hour before.
func (l *lane) countStep(c *Cell, s *Spread, t1 float64) {
	now := Edge{Hour: l.block.hour, IOs: sum(l.block.ios), Tail: t1}
	if len(c.Spans) == 0 {
		c.Spans = append(c.Spans, Span{First: now, Last: now})
		return
	}
	span := &c.Spans[0]
	c.step(s, l.binner, l.options.Thresholds, span.Last, now)
	span.Last = now
}

// sum returns the sum of I/O counts, in IOUnits; 0 if a count is unknown.
func sum(ios []uint32) int64 {
	var total int64
	for _, n := range ios {
		if n >= infinite {
			return 0
		}
		total += int64(value(n) * IOUnits)
	}
	return total
}

// step counts the step from one hour to another, if they follow each other.
func (c *Cell) step(s *Spread, bins *Binner, thresholds []float64, last, now Edge) {
	if last.Hour+1 != now.Hour || last.IOs == 0 || now.IOs == 0 {
		return
	}
	fall := float64(last.IOs) / float64(now.IOs)
	fell := int64(0)
	if fall >= Degraded {
		fell = 1
	}
	for i, t := range thresholds {
		step := &c.Steps[i]
		switch {
		case last.Tail >= t:
		case now.Tail >= t:
			step.Tense++
			step.TenseFell += fell
			s.Tense[i][bins.Bin(fall)]++
		default:
			step.Calm++
			step.CalmFell += fell
			s.Calm[i][bins.Bin(fall)]++
		}
	}
}
