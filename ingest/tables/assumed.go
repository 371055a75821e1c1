package tables

import (
	"cmp"
	"fmt"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/ingest/tool"
)

// unsureDates has files with ambiguous dates. A date such as 05/09/26 is ambiguous, because it does not
// show whether the day or the month is first.
type unsureDates struct {
	reread []*tableFile // files that must be read again, with day and month exchanged
	first  *tableFile   // first file whose order of day and month is unknown; nil if there is no such file
}

// settleDates finds the order of day and month for each file with ambiguous dates. It uses the
// first of these orders that is known:
//
//   - the order that other dates of the file show
//   - the order that the user has stated
//   - the order that the other files show, if they agree
//
// Otherwise the order stays unknown.
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
			u.reread = append(u.reread, f)
		}
	}
	return u
}

func (u unsureDates) warning() []ingest.Warning {
	if u.first == nil {
		return nil
	}
	return []ingest.Warning{{File: u.first.Path, Text: fmt.Sprintf(
		"limpet reads dates such as %s with the month first, because the files do not show the order of day and month; add --dates day-first or --dates month-first, or run the tool with S_TIME_FORMAT=ISO", u.first.scan.unsureDate)}}
}

// timeZones summarises whether the times in a file have a time zone.
type timeZones struct {
	assumesUTC bool   // true if some times have no zone, and the description has no zone either
	named      string // text of the first time that has an offset from UTC; empty if there is no such time
}

// add adds the findings of the clock `c`: whether some of the parsed times have no zone, and the text
// of the first time with an offset from UTC.
func (z *timeZones) add(c *tabular.Clock) {
	z.assumesUTC = z.assumesUTC || c.AssumesUTC()
	z.named = cmp.Or(z.named, c.NamedZone())
}

// assumedZone returns a warning if times are parsed as UTC, because the times and the description
// have no zone. If other times have a zone, the times of servers may differ by hours. The warning then
// also has the first time with a zone.
func assumedZone(files []*tableFile) []ingest.Warning {
	assumed, named := "", (*tableFile)(nil)
	for _, f := range files {
		if f.scan.samples == 0 {
			continue
		}
		if f.scan.zones.assumesUTC {
			assumed = cmp.Or(assumed, f.Path)
		}
		if f.scan.zones.named != "" && named == nil {
			named = f
		}
	}
	switch {
	case assumed == "":
		return nil
	case named != nil:
		return []ingest.Warning{{File: assumed, Text: fmt.Sprintf(
			"times without a time zone are read as UTC, but other times have a time zone, such as %s in %s: the times of servers may differ by hours. Give the time zone of the times without a time zone: add --data-tz ZONE, or write \"zone\" under \"time\" in the description file",
			named.scan.zones.named, named.Path)}}
	}
	return []ingest.Warning{{File: assumed, Text: "the times name no time zone and are read as UTC; add --data-tz ZONE, or write \"zone\" under \"time\" in the description file (zone: UTC if the times are UTC)"}}
}
