package clickhouse

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/limpet-storage/limpet/study"
)

// A part is the unfinished reduction of the records of one question.
type part struct {
	question
	fleet   *study.Fleet
	out     *study.Reduction
	binner  *study.Binner
	at      map[place]int32  // index of a cell in out
	slowAt  map[moment]int32 // index of a slow hour in out
	spreads [study.Kinds]*study.Spread
	days    []day // by hour since question.From
}

// A place is the key of a cell.
type place struct {
	kind  study.Kind
	group int32
}

// A day is the hour of the day and the month of an hour, in the time zone of the study.
type day struct {
	hour  int // of the day
	month int32
}

func newPart(q question, f *study.Fleet) *part {
	p := &part{question: q, fleet: f, out: &study.Reduction{Options: q.Options}, binner: study.NewBinner(), at: make(map[place]int32), slowAt: make(map[moment]int32)}
	for hour := q.From; hour < q.To; hour++ {
		t := time.Unix(int64(hour)*hourSeconds, 0).In(q.Options.Zone)
		_, offset := t.Zone()
		const dayHours = 24
		local := floorDiv(int64(hour)*hourSeconds+int64(offset), hourSeconds)
		p.days = append(p.days, day{int((local%dayHours + dayHours) % dayHours), study.MonthIndex(t)})
	}
	return p
}

// Classes of group hours in slowdowns.sql. Classes below study.Kinds are kinds of drives.
const (
	idleClass = study.Kinds + iota
	narrowClass
	mixedClass
)

// A cellRow is a row of the result of cells.sql.
type cellRow struct {
	class                                                 uint8
	group                                                 uint32
	records, parities, invalid, idle, zero, silent, twice int64
	hours, members                                        int64
	parity                                                int32
	busy, large                                           int64
	tailSum                                               [study.Narrowest]int64
	firstTail, lastTail                                   float64
	hour                                                  []int32
	width                                                 []uint32
	requests                                              []int64
	tail                                                  []float64
	slow                                                  slowRows
}

// slowRows holds the slow hours of a cell, column by column. Rates and sizes are ratios to the
// median; negative: unknown.
type slowRows struct {
	seat             []uint64
	hour             []int32
	slowdown         []float64
	rate, sizeFactor []float64
}

// cell adds a row of the result of cells.sql.
func (p *part) cell(scan func(...any) error) error {
	var r cellRow
	if err := scan(&r.class, &r.group, &r.records, &r.parities, &r.invalid, &r.idle, &r.zero, &r.silent, &r.twice,
		&r.hours, &r.members, &r.parity, &r.busy, &r.large, &r.tailSum[0], &r.tailSum[1], &r.tailSum[2],
		&r.firstTail, &r.lastTail, &r.hour, &r.width, &r.requests, &r.tail,
		&r.slow.seat, &r.slow.hour, &r.slow.slowdown, &r.slow.rate, &r.slow.sizeFactor); err != nil {
		return err
	}
	p.account(&r)
	if int(r.class) >= study.Kinds {
		return nil
	}
	if uint(r.group-1) >= uint(len(p.fleet.Groups)) {
		return fmt.Errorf("ClickHouse answered with group %d, but there are %d groups (numbered from 0); run the command again", r.group, len(p.fleet.Groups))
	}
	p.course(p.newCell(&r), &r)
	return p.slowHours(&r)
}

// account adds the counts of rows to the account.
func (p *part) account(r *cellRow) {
	a := &p.out.Accounts[p.Direction]
	a.Rows += r.records
	a.Parity += r.parities
	a.Invalid += r.invalid
	a.Idle += r.idle
	a.ZeroLatency += r.zero
	a.NoLatency += r.silent
	a.Duplicate += r.twice
	switch int(r.class) {
	case idleClass:
		a.IdleHours += r.hours
	case narrowClass:
		a.Narrow += r.members
		a.NarrowHours += r.hours
	case mixedClass:
		a.Mixed += r.members
		a.MixedHours += r.hours
	default:
		a.Counted += r.members
	}
}

func (p *part) newCell(r *cellRow) *study.Cell {
	at := place{study.Kind(r.class), int32(r.group - 1)}
	p.at[at] = int32(len(p.out.Cells))
	p.out.Cells = append(p.out.Cells, study.Cell{
		Direction: p.Direction, Kind: at.kind, Group: at.group, Parity: r.parity, Hours: r.hours, DriveHours: r.members,
		Busy: r.busy, Large: r.large, TailSum: r.tailSum, Steps: make([]study.Step, len(p.Options.Thresholds)),
	})
	p.spread(at.kind)
	return &p.out.Cells[len(p.out.Cells)-1]
}

// spread returns the Spread of a kind, and adds one if there is none.
func (p *part) spread(kind study.Kind) *study.Spread {
	if p.spreads[kind] == nil {
		p.spreads[kind] = &study.Spread{Direction: p.Direction, Kind: kind}
		p.out.Spreads = append(p.out.Spreads, p.spreads[kind])
	}
	return p.spreads[kind]
}

// course adds the hours of a cell in the order of time. It counts them by hour of the day and
// by month, and makes a span of each hour: study.Merge joins the spans and counts the steps
// between them.
func (p *part) course(c *study.Cell, r *cellRow) {
	order := make([]int, len(r.hour))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(r.hour[a]) - int(r.hour[b]) })
	c.Spans = make([]study.Span, 0, len(order))
	for _, i := range order {
		hour, n := r.hour[i], int64(r.width[i])
		d := p.days[hour-p.From]
		c.ByHour[d.hour] += n
		if m := len(c.Months); m == 0 || c.Months[m-1].Index != d.month {
			c.Months = append(c.Months, study.Month{Index: d.month})
		}
		m := &c.Months[len(c.Months)-1]
		m.Hours++
		m.DriveHours += n
		edge := study.Edge{Hour: hour, IOs: r.requests[i], Tail: r.tail[i]}
		c.Spans = append(c.Spans, study.Span{First: edge, Last: edge})
	}
	first, last := &c.Spans[0], &c.Spans[len(c.Spans)-1]
	first.First.Tail, last.Last.Tail = r.firstTail, r.lastTail
}

// slowHours adds the slow hours of the last cell.
func (p *part) slowHours(r *cellRow) error {
	s := &r.slow
	for i, seat := range s.seat {
		drive, _, err := p.unseat(seat)
		if err != nil {
			return err
		}
		p.slowAt[moment{int32(len(p.out.Cells) - 1), drive, s.hour[i]}] = int32(len(p.out.Slow))
		p.out.Slow = append(p.out.Slow, study.SlowHour{
			Cell: int32(len(p.out.Cells) - 1), Drive: drive, Hour: s.hour[i],
			S: s.slowdown[i], Rate: down(s.rate[i]), Size: down(s.sizeFactor[i]),
		})
	}
	return nil
}

// down rounds down, as a Reducer does; NaN if v is negative, which means unknown.
func down(v float64) float32 {
	if v < 0 {
		return float32(math.NaN())
	}
	near := float32(v)
	if float64(near) > v {
		near = math.Nextafter32(near, 0)
	}
	return near
}
