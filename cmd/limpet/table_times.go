package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/ingest/tool"
)

// tableTimes holds the time zone and the order of day and month of times in tables.
type tableTimes struct{ zone, dates string }

func (f *tableTimes) bind(fs *pflag.FlagSet) {
	fs.StringVar(&f.zone, "data-tz", "", "with --tables: time `ZONE`, such as Europe/Berlin or local, of times in the tables that name no time zone (default: the time zone in the description file, or UTC)")
	fs.StringVar(&f.dates, "dates", "", "with --tables: `ORDER` of day and month in dates such as 09/05/26: day-first or month-first (default: the order that the files show, or month-first)")
}

// needTables returns an error if the flags are given without tables.
func (f *tableTimes) needTables(tables bool) error {
	if tables || f.zone == "" && f.dates == "" {
		return nil
	}
	return usageError{errors.New("--data-tz and --dates need --tables, because all other data name their time zone: remove --data-tz and --dates")}
}

// settle copies the flags to the description and the options of tables.
func (f *tableTimes) settle(d *tables.Description, o *tables.Options) error {
	switch o.Dates = tool.DateOrder(f.dates); o.Dates {
	case "", tool.DayFirst, tool.MonthFirst:
	default:
		return usageError{fmt.Errorf("--dates %q is unknown: use %s or %s", f.dates, tool.DayFirst, tool.MonthFirst)}
	}
	if f.zone == "" {
		return nil
	}
	zone, err := period.LoadZone(f.zone, "")
	if err != nil {
		return usageError{fmt.Errorf("--data-tz: %w", err)}
	}
	d.Time.Clock = d.Time.Clock.InLocation(zone)
	return nil
}
