package sadf

import (
	"fmt"
	"io"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A Report is a kind of table that Dump prints.
type Report uint8

// The reports, with the options of sadf after "--" for each.
const (
	Disks           Report = iota // -d
	Interfaces                    // -n DEV
	InterfaceErrors               // -n EDEV
	TCP                           // -n TCP
	TCPErrors                     // -n ETCP
	CPUs                          // -u ALL -P ALL
)

func (r Report) noun() string {
	return [...]string{"disks", "network interfaces", "errors of network interfaces", "TCP counters", "errors of TCP", "processors"}[r]
}

// keyword returns the option of sadc that records the data of this report.
func (r Report) keyword() string {
	return [...]string{"-S DISK", "-S A_NET_DEV", "-S A_NET_EDEV", "-S SNMP", "-S SNMP", "-S A_CPU"}[r]
}

// Options choose the report and its form.
type Options struct {
	Report Report
	// As is the version of sysstat whose form is printed. The zero value is the version that wrote
	// the file.
	As sysstat.Version
	// Comments: print comments too, in their places, as sadf -C does.
	Comments bool
	// Prompt: write the text of each record at once, for a file that is being followed.
	Prompt bool
}

// DefaultOptions print disks.
func DefaultOptions() Options {
	return Options{Report: Disks}
}

// Validate returns an error if the report does not exist.
func (o Options) Validate() error {
	if o.Report > CPUs {
		return fmt.Errorf("there is no report with number %d: use a number from 0 to %d", o.Report, CPUs)
	}
	return nil
}

// A Source is an activity file, or several files that are joined.
type Source interface {
	Header() *sysstat.Header
	Inventory() *sysstat.Inventory
	Next() (*sysstat.Record, error)
}

// flushSize is the number of bytes of text that are collected before a write.
const flushSize = 64 << 10

// Dump prints a report of src. It returns an error if src does not have the data of the report.
func Dump(w io.Writer, src Source, opts Options) error {
	if err := opts.Validate(); err != nil {
		return err
	}
	d := dumper{printer: printer{style: styleOf(src.Header(), opts.As)}, comments: opts.Comments}
	t, activity := d.table(opts.Report, src)
	if !decodes(src.Header(), activity) {
		return fmt.Errorf("%s: the file holds no %s: start sadc with %s to record this data",
			src.Header().File, opts.Report.noun(), opts.Report.keyword())
	}
	for {
		rec, err := src.Next()
		if err != nil && err != io.EOF {
			return err
		}
		if err == nil {
			d.record(rec, t)
		}
		if len(d.buf) >= flushSize || opts.Prompt || err == io.EOF {
			if _, err := w.Write(d.buf); err != nil {
				return err
			}
			d.buf = d.buf[:0]
		}
		if err == io.EOF {
			return nil
		}
	}
}

func decodes(h *sysstat.Header, activity uint32) bool {
	for _, a := range h.Activities {
		if a.ID == activity {
			return a.Decoded
		}
	}
	return false
}

// A table is a report that is being printed.
type table interface {
	columns() string
	// read reads the current sample from a record.
	read(rec *sysstat.Record)
	// rows prints the changes since the reference.
	rows(p *printer)
	// keep makes the current sample the reference.
	keep()
}

func (d *dumper) table(r Report, src Source) (t table, activity uint32) {
	switch r {
	case Interfaces:
		return &interfaces{style: d.style}, sysstat.InterfaceActivity
	case InterfaceErrors:
		return &interfaceErrors{}, sysstat.InterfaceErrorsActivity
	case TCP:
		return &tcp{}, sysstat.TCPActivity
	case TCPErrors:
		return &tcpErrors{style: d.style}, sysstat.TCPErrorsActivity
	case CPUs:
		return &cpus{}, sysstat.CPUActivity
	}
	return &disks{style: d.style, inventory: src.Inventory()}, sysstat.DiskActivity
}

// dumper prints the records. The first sample of a file, and the first sample after a restart, is
// the reference for the next sample.
type dumper struct {
	printer
	comments   bool // print comments
	started    bool
	sampled    *sysstat.Header // header of the file with the last sample
	reference  uint64          // uptime of the reference
	lastUptime uint64
}

func (d *dumper) record(rec *sysstat.Record, t table) {
	// If files are joined, counters may begin again from 0 without a Restart.
	anew := rec.Restarted && d.sampled != rec.Header()
	d.header = rec.Header()
	if rec.Type == sysstat.Stats {
		d.sampled = d.header
	}
	switch {
	case rec.Type == sysstat.Restart:
		d.restart(rec)
		d.started = false
	case rec.Type == sysstat.Comment && d.comments:
		d.comment(rec)
	case rec.Type != sysstat.Stats:
	case !d.started || anew:
		d.buf = append(d.buf, "# hostname;interval;timestamp;"...)
		d.buf = append(d.buf, t.columns()...)
		d.buf = append(d.buf, '\n')
		t.read(rec)
		t.keep()
		d.started, d.reference, d.lastUptime = true, rec.Uptime, rec.Uptime
	case d.sample(rec):
		t.read(rec)
		t.rows(&d.printer)
		t.keep()
		d.reference = rec.Uptime
	}
}

// event begins the line of a record that is not a sample.
func (d *dumper) event(rec *sysstat.Record) {
	d.buf = append(d.buf, d.header.Hostname...)
	d.buf = append(d.buf, ";-1;"...)
	d.buf = appendTime(d.buf, rec.Time)
}

// comment prints the line of a comment.
func (d *dumper) comment(rec *sysstat.Record) {
	d.event(rec)
	d.buf = append(d.buf, ";COM "...)
	d.buf = append(d.buf, rec.Comment()...)
	d.buf = append(d.buf, '\n')
}

// restart prints the line of a restart.
func (d *dumper) restart(rec *sysstat.Record) {
	d.event(rec)
	d.buf = append(d.buf, ";LINUX-RESTART"...)
	if d.style.restartCPUs {
		d.buf = fmt.Appendf(d.buf, "\t(%d CPU)", rec.CPUCount)
	}
	d.buf = append(d.buf, '\n')
}

// sample sets the interval, and reports whether the record is printed at all: some versions leave
// out a sample that comes less than half a second after another.
func (d *dumper) sample(rec *sysstat.Record) bool {
	since := rec.Uptime - d.lastUptime
	d.lastUptime = rec.Uptime
	if d.style.skipsShort && since < 50 {
		return false
	}
	interval := max(rec.Uptime-d.reference, 1)
	d.interval = float64(interval)
	d.prefix = append(d.prefix[:0], d.header.Hostname...)
	d.prefix = fmt.Appendf(d.prefix, ";%d;", interval/100+interval%100/50)
	d.prefix = appendTime(d.prefix, rec.Time)
	return true
}

func appendTime(b []byte, epoch int64) []byte {
	return time.Unix(epoch, 0).UTC().AppendFormat(b, "2006-01-02 15:04:05 UTC")
}
