package sadf

import (
	"fmt"
	"io"
	"time"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A Report is what to print.
type Report uint8

// The reports, with the options after "--" that ask sadf for them.
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

// keyword is what to give sadc.
func (r Report) keyword() string {
	return [...]string{"-S DISK", "-S A_NET_DEV", "-S A_NET_EDEV", "-S SNMP", "-S SNMP", "-S A_CPU"}[r]
}

// Options say what to print and how.
type Options struct {
	Report Report
	// As is the version of sysstat to print like. The zero value is the
	// version that wrote the file.
	As sysstat.Version
	// Comments prints these too, where they stand, as sadf -C does.
	Comments bool
	// Prompt writes what a record gives at once, for a file that is being
	// followed.
	Prompt bool
}

// DefaultOptions print disks.
func DefaultOptions() Options {
	return Options{Report: Disks}
}

// Validate says what is wrong with the options.
func (o Options) Validate() error {
	if o.Report > CPUs {
		return fmt.Errorf("report number %d does not exist", o.Report)
	}
	return nil
}

// A Source is a file or several that are joined.
type Source interface {
	Header() *sysstat.Header
	Inventory() *sysstat.Inventory
	Next() (*sysstat.Record, error)
}

// flushSize is how much text is written at once.
const flushSize = 64 << 10

// Dump prints a report of src. It is an error if src does not have it.
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

// A table is one kind of report.
type table interface {
	columns() string
	// read takes a record as the current sample.
	read(rec *sysstat.Record)
	// rows prints what changed since the reference.
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

// dumper follows the records: the first sample of a file, and the first
// after a restart, is the reference that the next is compared with.
type dumper struct {
	printer
	comments   bool // are printed
	started    bool
	sampled    *sysstat.Header // of the file that the last sample is from
	reference  uint64          // uptime of the sample that rows are compared with
	lastUptime uint64
}

func (d *dumper) record(rec *sysstat.Record, t table) {
	// Where files are joined, counters may begin anew without a Restart.
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

// event begins the line of what is no sample.
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

// sample sets the interval, and says whether the record is printed at all:
// some versions leave out what comes less than half a second after another.
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
