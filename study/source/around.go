package source

import (
	"fmt"
	"time"

	"github.com/limpet-storage/limpet/study/source/internal/hours"
	"github.com/limpet-storage/limpet/study/source/internal/units"
)

// Hourly records are rarely written at the stroke of the hour:
//
//	time,drive
//	00:59:58,a   of the hour from 1 o'clock
//	01:59:57,a   of the hour from 2 o'clock
//	03:00:02,a   of the hour from 3 o'clock
//
// By the clock, the hour from 1 would have one of these, the hour from 2 none,
// and so on: hours would be lost and others counted double. So records that
// lie around the full hours belong to the nearest one. Whether they do is told
// by the quarters of an hour that they lie in: of records at even intervals
// that are finer than hours, about half lie in the two quarters in the middle.

// quarters are those of an hour: the first and the last are around full hours.
const quarters = units.Quarters

const nsPerHour = int64(time.Hour)

// maxMiddle is one in so many records that may lie in the quarters in the
// middle: half of what finer records have there.
const maxMiddle = 4

// leastAround is how many quarters records must span to show that they come
// back to the full hour.
const leastAround = 2 * quarters

// around reports whether records lie around the full hours, on both sides.
func (v *survey) around() bool {
	var of [quarters]int64
	for q, rows := range v.quarters {
		of[q%quarters] += rows
	}
	before, after, middle := of[quarters-1], of[0], of[1]+of[2]
	span := sortedKeys(v.quarters)
	return before > 0 && after > 0 && maxMiddle*middle <= before+after+middle && span[len(span)-1]-span[0] >= leastAround
}

// settleHours settles which hours records belong to, and counts their rows.
func (s *Source) settleHours(v *survey) {
	quarter := int32(0)
	if s.finer && v.around() {
		s.shift, quarter = nsPerHour/2, quarters/2
		if s.description.AtEnd {
			s.shift, quarter = -s.shift, -quarter
		}
		s.warned = append(s.warned, Warning{Text: "records lie a little before and after full hours: each is taken to the nearest; write the time of its hour if that is wrong"})
	}
	v.hours = make(map[int32]int64)
	for q, rows := range v.quarters {
		v.hours[(q+quarter)/quarters] += rows
	}
}

// Folding is what became of records that were folded to hours, once all
// streams have been read to their ends; nothing where records are hourly.
type Folding = hours.Folding

// Folding tells what became of the records read so far.
func (s *Source) Folding() Folding {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.folding
}

// uneven reports whether records seem to be hourly and yet do not come once an
// hour: nearly all hours that have some have one or two, neither is rare, and
// two are the exception.
func uneven(p hours.Pace) bool {
	const rare = 20 // one in so many
	few := p.Single + p.Double
	return rare*(p.Hours-few) <= p.Hours && rare*p.Double > p.Hours && p.Double < p.Single
}

// telling is how many hours a drive's pace is told by: fewer may be so by
// chance.
const telling = 24

// unevenDrives are the drives that are so by themselves, as those of a host
// whose clock strikes near the full hour.
func (s *Source) unevenDrives(f Folding) (names []string) {
	for i, p := range f.Drives {
		if p.Hours >= telling && uneven(p) {
			names = append(names, s.fleet.Drives[i].Name)
		}
	}
	return names
}

// warnUneven tells of hours that may be lost.
func (s *Source) warnUneven(f Folding) []Warning {
	const cure = "as records about an hour apart have that are not at full hours: hours between may be lost; write the hour that each is of"
	if uneven(f.Pace) {
		return []Warning{{Text: fmt.Sprintf("%d of %d drive hours have two records and most others one, %s", f.Double, f.Hours, cure)}}
	}
	if names := s.unevenDrives(f); len(names) > 0 {
		return []Warning{{Text: fmt.Sprintf("%s, %s first, with two records in some hours and one in most others, %s", count(len(names), "drive"), names[0], cure)}}
	}
	return nil
}

// hourOf is the hour that records at a time belong to.
func (s *Source) hourOf(ns int64) int32 { return units.HourOf(ns + s.shift) }
