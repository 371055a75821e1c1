package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/beneath"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/report"
)

// diagnoseHosts diagnoses the hosts of services, so that the report about the services can name the
// cause. It returns nil if no hosts are given. The topology is that of the hosts: it is no longer set
// when the services are diagnosed.
func (f *diagnoseFlags) diagnoseHosts(cmd *cobra.Command) (*beneath.Hosts, error) {
	if len(f.hosts) == 0 {
		return nil, nil
	}
	if f.tables == "" {
		return nil, usageError{errors.New("--hosts needs --tables: give the tables of the services, such as --tables ceph-perf; activity files alone need no --hosts")}
	}
	own := f.sourceFlags
	own.tables = ""
	f.topology = ""
	src, o, err := own.open(cmd, f.hosts)
	if err != nil {
		return nil, f.refused(err)
	}
	defer src.Close()
	hosts := beneath.New(src.System(), src.Schema(), o.Criteria.ClearTimes)
	stream, progress := withProgress(cmd, src)
	e, err := engine.New(o, src.System(), src.Schema(), nil, report.Several())
	if err != nil {
		return nil, err
	}
	err = e.Run(&hostRows{stream, hosts})
	progress.done()
	if err != nil {
		return nil, err
	}
	hosts.Finish(e.Summary(incident.BySeverity).Incidents)
	return hosts, nil
}

// hostRows is a stream whose rows the record of the hosts sees too.
type hostRows struct {
	table.Stream
	hosts *beneath.Hosts
}

// Next returns the next row.
func (w *hostRows) Next() (*table.Row, error) {
	row, err := w.Stream.Next()
	if err == nil {
		w.hosts.Row(row)
	}
	return row, err
}
