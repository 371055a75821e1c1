package tables

import (
	"cmp"
	"fmt"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tool"
)

// unsureDates has files with ambiguous dates: a date such as 05/09/26 does not show
// whether the day or the month is first.
type unsureDates struct {
	again []*tableFile // files that must be read again, with the other order of day and month
	first *tableFile   // first file whose order of day and month is unknown; nil: no such file
}

// settleDates decides the order of day and month for each file with ambiguous dates. The
// unambiguous dates of the file decide. If the file has no unambiguous date, the order that the
// user has stated counts. If the user has stated no order and the other files all have the same
// order, this order counts.
func settleDates(files []*tableFile, stated tool.DateOrder) (u unsureDates) {
	var told []tool.DateOrder
	for _, f := range files {
		told = append(told, f.scan.dates)
	}
	others := cmp.Or(stated, tool.AgreedOrder(told))
	for _, f := range files {
		switch order := cmp.Or(f.scan.dates, others); {
		case f.scan.unsureDate == "":
		case order == "" && u.first == nil:
			u.first = f
		case order != "" && (order == tool.DayFirst) != (f.dates == tool.DayFirst):
			f.dates = order
			u.again = append(u.again, f)
		}
	}
	return u
}

func (u unsureDates) warning() []ingest.Warning {
	if u.first == nil {
		return nil
	}
	return []ingest.Warning{{File: u.first.Path, Text: fmt.Sprintf(
		"dates such as %s are read with the month first, as nothing in the files tells; add --dates day-first or --dates month-first, or have them printed with S_TIME_FORMAT=ISO", u.first.scan.unsureDate)}}
}

// assumedZone returns a warning if times are parsed as UTC because neither the files nor
// the description name a zone.
func assumedZone(files []*tableFile) []ingest.Warning {
	for _, f := range files {
		if f.scan.assumesUTC && f.scan.samples > 0 {
			return []ingest.Warning{{File: f.Path, Text: "its times name no zone, and are taken for UTC; add --data-tz ZONE, or zone: under time: in the description (UTC, if they are)"}}
		}
	}
	return nil
}
