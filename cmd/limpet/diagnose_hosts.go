package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/servicecause"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/report"
)

// diagnoseHosts diagnoses the hosts of services, so that the report about the services can name the
// cause. It returns nil if no hosts are given, or if they have no data; a warning then says so.
// --topology describes the hosts, so diagnoseHosts clears it before the services are diagnosed. The
// second result is the report about the hosts, in the format that the user chose. It shows incidents
// of hosts that make no service slow, such as lost packets.
func (f *diagnoseFlags) diagnoseHosts(cmd *cobra.Command) (_ *servicecause.Hosts, text []byte, warnings []string, _ error) {
	if len(f.hosts) == 0 {
		return nil, nil, nil, nil
	}
	if f.tables == "" {
		return nil, nil, nil, usageError{errors.New("--hosts needs --tables with the tables of the services, such as --tables ceph-perf. To diagnose only activity files, remove --hosts")}
	}
	own := f.sourceFlags
	own.tables = ""
	f.topology = ""
	src, o, err := own.open(cmd, f.hosts)
	if err != nil {
		warnings, err = withoutHosts(err, nil)
		return nil, nil, warnings, err
	}
	defer src.Close()
	var written bytes.Buffer
	var to io.Writer = &written
	if f.format == "text" {
		to = printable.NewWriter(to) // names from files may contain control characters
	}
	subject := f.subject(cmd, src, o)
	subject.Diagnosis = "hosts"
	out, err := report.New(f.format, to, subject)
	if err != nil {
		return nil, nil, nil, usageError{err}
	}
	hosts := servicecause.New(src.System(), src.Schema(), o.Criteria.ClearTimes)
	stream, progress := withProgress(cmd, src)
	e, err := engine.New(o, src.System(), src.Schema(), nil, out)
	if err != nil {
		return nil, nil, nil, err
	}
	err = e.Run(&hostRows{stream, hosts})
	progress.done()
	if err != nil {
		warnings, err = withoutHosts(err, whyNothing(err, src))
		return nil, nil, warnings, err
	}
	summary := report.Summary{Summary: e.Summary(incident.Order(f.order))}
	hosts.Finish(summary.Incidents)
	err = out.Finish(summary)
	return hosts, written.Bytes(), nil, err
}

// withoutHosts returns the warnings for hosts without data, such as files that do not cover the chosen
// period: the services are then diagnosed without their hosts. The parameter `reasons` has the
// warnings of the source of the hosts. withoutHosts returns the error if it has another cause.
func withoutHosts(err error, reasons []string) (warnings []string, _ error) {
	if _, nothing := errors.AsType[*ingest.NothingError](err); !nothing {
		return nil, err
	}
	for _, text := range reasons {
		warnings = append(warnings, "hosts (--hosts): "+text)
	}
	return append(warnings, fmt.Sprintf("the services are diagnosed without their hosts (--hosts): %v", err)), nil
}

// hostRows is a stream that also passes each row to the record of the hosts.
type hostRows struct {
	table.Stream
	hosts *servicecause.Hosts
}

// Next returns the next row.
func (w *hostRows) Next() (*table.Row, error) {
	row, err := w.Stream.Next()
	if err == nil {
		w.hosts.Row(row)
	}
	return row, err
}

// join adds the report about the hosts to the subject of the report about services, if the format
// is JSON. Text and CSV are printed after the report about services (printHosts).
func (f *diagnoseFlags) join(s *report.Subject, aboutHosts []byte) {
	if len(aboutHosts) == 0 {
		return
	}
	s.Diagnosis = "services"
	if f.format == "json" {
		s.HostReport = aboutHosts
	}
}

// printHosts prints the report about the hosts after the report about services, if the format is
// text or CSV. In JSON, the report about services contains the report about the hosts.
func (f *diagnoseFlags) printHosts(to io.Writer, aboutHosts []byte) error {
	if len(aboutHosts) == 0 || f.quiet {
		return nil
	}
	var err error
	switch f.format {
	case "text":
		_, err = fmt.Fprintf(to, "\nThe hosts\n\n%s", aboutHosts)
	case "csv":
		_, lines, _ := bytes.Cut(aboutHosts, []byte("\n")) // without the header
		_, err = to.Write(lines)
	}
	return err
}
