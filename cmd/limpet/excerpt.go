package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/topology"
)

// excerptFlags choose the part of the data that is read.
type excerptFlags struct {
	zoneFlag
	since, until string
	servers      []string
}

func (f *excerptFlags) bind(cmd *cobra.Command) {
	f.zoneFlag.bind(cmd)
	fs := cmd.Flags()
	fs.StringVar(&f.since, "since", "", "read only data since `TIME`: 2026-05-09, \"2026-05-09 08:00\", yesterday, or how long ago: 2h, 3d. Files with only older data are not opened (default: all data)")
	fs.StringVar(&f.until, "until", "", "read only data until `TIME`, written as for --since. If TIME is a day, data are read until the end of this day (default: all data)")
	fs.StringSliceVar(&f.servers, "server", nil, "read only the files of these `SERVERS` (fs3, fs[1-8], 'fs*'), and compare only these servers with each other (default: all servers)")
}

// read converts the flags to a selection. Relative times count from now.
func (f *excerptFlags) read() (*ingest.Selection, error) {
	if err := f.zoneFlag.read(); err != nil {
		return nil, err
	}
	p, err := period.Clock{Now: time.Now(), Zone: f.zone}.New(f.since, f.until)
	if err != nil {
		return nil, err
	}
	servers, err := topology.ParseNames(f.servers)
	if err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	return &ingest.Selection{Period: p, Servers: servers, Zone: f.zone}, nil
}

// zoneFlag is the time zone of printed times, and of times in flags without a time zone.
type zoneFlag struct {
	name string
	zone *time.Location
}

func (f *zoneFlag) bind(cmd *cobra.Command) {
	f.zone = time.UTC
	cmd.Flags().StringVar(&f.name, "tz", "", "time `ZONE`, such as Europe/Berlin or local, of printed times, and of times in flags that name no time zone. JSON, CSV and HTML pages are always in UTC (default: the variable TZ, or UTC if TZ is not set)")
}

func (f *zoneFlag) read() (err error) {
	f.zone, err = period.LoadZone(f.name, os.Getenv("TZ"))
	return err
}
