package clickhouse

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/study"
)

// A moment is an hour of a drive in a cell.
type moment struct{ cell, drive, hour int32 }

// A tallyRow is a row of the result of tallies.sql: a count of a distribution, or the seats of
// a drive in a group.
type tallyRow struct {
	class  uint8
	group  uint32
	key    uint64
	count  int64    // number of hours
	firsts []int64  // first hour of each seat
	lasts  []int64  // last hour of each seat
	turns  []uint32 // by seat: number of its first hour among all hours of the row, from 1 on
	slow   slowTurns
}

// slowTurns holds the slow hours of a drive, and their numbers among the hours of the row.
type slowTurns struct {
	hours  []int64
	turns  []uint32
	goesOn []uint32 // 1: the drive is also a member in the next hour
}

// tally adds a row of the result of tallies.sql.
func (p *part) tally(scan func(...any) error) error {
	var r tallyRow
	if err := scan(&r.class, &r.group, &r.key, &r.count, &r.firsts, &r.lasts, &r.turns, &r.slow.hours, &r.slow.turns, &r.slow.goesOn); err != nil {
		return err
	}
	if r.key >= 1<<seatBits {
		return p.seats(&r)
	}
	curve, x := unkey(r.key)
	p.curve(p.spread(study.Kind(r.class)), curve)[p.binner.Bin(x)] += r.count
	return nil
}

var errChanged = errors.New("the table was changed while limpet was reading; run the command again")

// seats adds the seats of a drive in a group, in one year of the drive's life.
func (p *part) seats(r *tallyRow) error {
	cell, ok := p.at[place{study.Kind(r.class), int32(r.group - 1)}]
	if !ok {
		return fmt.Errorf("a drive has hours in group %d, but the group has no hours: %w", r.group, errChanged)
	}
	drive, year, err := p.unseat(r.key)
	if err != nil {
		return err
	}
	slow := 0
	for i, first := range r.firsts {
		begin, end := int64(r.turns[i]), r.count+1
		if i+1 < len(r.turns) {
			end = int64(r.turns[i+1])
		}
		s := study.Seat{Cell: cell, Drive: drive, Year: year, First: int32(first), Last: int32(r.lasts[i]), Hours: end - begin}
		p.out.Seats = append(p.out.Seats, s)
		for ; slow < len(r.slow.hours) && int64(r.slow.turns[slow]) < end; slow++ {
			if err := p.turn(s, &r.slow, slow, begin); err != nil {
				return err
			}
		}
	}
	return nil
}

// turn sets the Turn of a slow hour: its number in its seat.
func (p *part) turn(s study.Seat, slow *slowTurns, i int, begin int64) error {
	at, ok := p.slowAt[moment{s.Cell, s.Drive, int32(slow.hours[i])}]
	if !ok {
		return fmt.Errorf("drive %s now has one slow hour more than at the first query: %w", p.fleet.Drives[s.Drive].Name, errChanged)
	}
	p.out.Slow[at].Turn = study.NewTurn(int64(slow.turns[i])-begin+1, slow.goesOn[i] == 1)
	return nil
}

// unseat splits a seat into the index of the drive and the year of its life.
func (p *part) unseat(seat uint64) (drive, year int32, err error) {
	if n := seat >> seatBits; n == 0 || n > uint64(len(p.fleet.Drives)) {
		return 0, 0, fmt.Errorf("ClickHouse answered with drive %d, but there are %d drives (numbered from 0); run the command again", n, len(p.fleet.Drives))
	}
	return int32(seat>>seatBits - 1), int32(seat & (1<<seatBits - 1)), nil
}

// curve returns the distribution that has this number in tallies.sql.
func (p *part) curve(s *study.Spread, curve int) *study.Histogram {
	return []*study.Histogram{&s.Slowdown, &s.Tails[0], &s.Tails[1], &s.Tails[2], &s.Busy, &s.Large}[curve]
}
