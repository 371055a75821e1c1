package tool

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// exporterPrint reads the page /metrics of node_exporter, or the latencies of OSDs on the page
// /metrics of Ceph's exporter:
//
//	node_disk_read_time_seconds_total{device="sda"} 18492.372
//	node_disk_reads_completed_total{device="sda"} 2.5354637e+07
//
// Counters are sums since the start of the server. The differences between two pages are sums over
// the interval between the pages.
var exporterPrint = printFormat{
	name: "node_exporter",
	signs: []Sign{
		{Texts: []string{"node_disk_read_time_seconds_total{"}},
		{Texts: []string{"node_disk_read_time_ms{"}},
		{Texts: []string{"ceph_osd_commit_latency_ms{"}},
	},
	open: func(b *printBuilder) printReader {
		p := &exporterPage{b: b}
		return printReader{line: p.line, end: p.end}
	},
}

// exporterPage collects the series of one page.
type exporterPage struct {
	b             *printBuilder
	host          string
	now, boot     float64 // Unix seconds; 0 if unknown
	clock         string
	disks         map[string]map[string]float64 // values of counters, by device and name of the counter
	commit, apply map[string]float64
}

// exporterCounters maps the name of a series to a counter of /proc/diskstats, and to the factor
// that converts the value to ms or kB. The names in the second half of the map are from versions of
// node_exporter before 0.16.
var exporterCounters = map[string]struct {
	counter string
	factor  float64
}{
	"node_disk_reads_completed_total":          {"reads", 1},
	"node_disk_writes_completed_total":         {"writes", 1},
	"node_disk_read_time_seconds_total":        {"read_ms", 1000},
	"node_disk_write_time_seconds_total":       {"write_ms", 1000},
	"node_disk_read_bytes_total":               {"read_kB", 1.0 / 1024},
	"node_disk_written_bytes_total":            {"write_kB", 1.0 / 1024},
	"node_disk_io_time_seconds_total":          {"busy_ms", 1000},
	"node_disk_io_time_weighted_seconds_total": {"queue_ms", 1000},
	"node_disk_reads_completed":                {"reads", 1},
	"node_disk_writes_completed":               {"writes", 1},
	"node_disk_read_time_ms":                   {"read_ms", 1},
	"node_disk_write_time_ms":                  {"write_ms", 1},
	"node_disk_bytes_read":                     {"read_kB", 1.0 / 1024},
	"node_disk_bytes_written":                  {"write_kB", 1.0 / 1024},
	"node_disk_io_time_ms":                     {"busy_ms", 1},
	"node_disk_io_time_weighted":               {"queue_ms", 1},
}

func (p *exporterPage) line(line string) error {
	if p.b.clock != p.clock { // a line with a time begins the next page
		p.end()
		p.clock = p.b.clock
	}
	name, labels, text, ok := splitExposition(line)
	if !ok {
		f := strings.Fields(line)
		if len(f) >= 2 && (f[0] == "node_time_seconds" || f[0] == "node_boot_time_seconds") {
			if v, err := strconv.ParseFloat(f[1], 64); err == nil && f[0] == "node_time_seconds" {
				p.now = v
			} else if err == nil {
				p.boot = v
			}
		}
		return nil
	}
	if name == "node_uname_info" {
		p.host = labels["nodename"]
		return nil
	}
	osd := labels["ceph_daemon"]
	counter, isDisk := exporterCounters[name]
	isCommit, isApply := name == "ceph_osd_commit_latency_ms", name == "ceph_osd_apply_latency_ms"
	if !isDisk && !isCommit && !isApply {
		return nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < 0 {
		return &Error{errExporterNumber}
	}
	switch {
	case isDisk && labels["device"] != "":
		p.disk(labels["device"], counter.counter, v*counter.factor)
	case isCommit && osd != "":
		p.commit = put(p.commit, osd, v)
	case isApply && osd != "":
		p.apply = put(p.apply, osd, v)
	}
	return nil
}

func put(m map[string]float64, key string, v float64) map[string]float64 {
	if m == nil {
		m = map[string]float64{}
	}
	m[key] = v
	return m
}

// disk stores a counter of a disk. If the page already has this counter, the next page begins.
func (p *exporterPage) disk(device, counter string, v float64) {
	if _, again := p.disks[device][counter]; again {
		p.end()
	}
	if p.disks == nil {
		p.disks = map[string]map[string]float64{}
	}
	p.disks[device] = put(p.disks[device], counter, v)
}

// end adds a look with the values of the current page.
func (p *exporterPage) end() {
	at := p.clock
	if at == "" && p.now > 0 && p.now < lastEpoch {
		at = strconv.FormatInt(int64(p.now), 10)
	}
	if len(p.disks) > 0 {
		host := cmp.Or(p.host, stemOf(p.b.file))
		p.b.begin(host, at, look.SinceStart)
		if p.boot > 0 && p.now > p.boot {
			p.b.looks[len(p.b.looks)-1].Seconds = p.now - p.boot
		}
		for _, device := range sortedKeys(p.disks) {
			p.b.diskCounters(host, device, p.disks[device])
		}
	}
	if len(p.commit) > 0 {
		p.b.begin("", at, look.Interval)
		for _, osd := range sortedKeys(p.commit) {
			p.b.osd(strings.TrimPrefix(osd, "osd."), p.commit[osd], p.apply[osd])
		}
	}
	*p = exporterPage{b: p.b, clock: p.clock, host: p.host}
}

// diskCounters makes a sample from the kernel's counters of a disk, and adds it to the look. It
// leaves out partitions.
func (b *printBuilder) diskCounters(host, device string, v map[string]float64) {
	class, partition, known := devname.Class(device)
	if known && partition {
		return
	}
	s := look.Sample{Component: device, Host: host, Kind: strings.TrimSpace(class + " drives")}
	if host != "" {
		s.Component = host + "/" + device
	}
	if class == "dm" {
		s.Kind = "dm devices"
	}
	if known && !devname.IsDrive(class) {
		s.Kind, b.hasOthers = class+" devices"+notDrive, true
	}
	requests, kB := v["reads"]+v["writes"], v["read_kB"]+v["write_kB"]
	s.Counters = []look.Counter{
		{Metric: look.ReadLatency, Sum: v["read_ms"], Count: v["reads"]},
		{Metric: look.WriteLatency, Sum: v["write_ms"], Count: v["writes"]},
		{Metric: look.Requests, Sum: requests, Count: look.PerSecond},
		{Metric: look.Bandwidth, Sum: kB, Count: look.PerSecond},
		{Metric: look.ReqSize, Sum: kB, Count: requests},
		{Metric: look.InFlight, Sum: v["queue_ms"] / 1000, Count: look.PerSecond},
		{Metric: look.BusyTime, Sum: v["busy_ms"] / 10, Count: look.PerSecond}, // ms of busy time per second / 10 = percent of the time
	}
	b.add(s)
}

// diskstatsPrint reads /proc/diskstats.
//
//	8       0 sda 25354637 34367663 1003346126 18492372 28444756 11134226 505697032 63877960 0 9653880 82621804
//
// The first four numbers after the name are about reads: reads, merged reads, sectors and ms. The
// next four numbers are about writes. The last numbers are the requests in flight, the ms with
// requests in flight, and the ms weighted by the number of requests in flight.
var diskstatsPrint = printFormat{
	name: "/proc/diskstats",
	form: lazyregexp.New(`(?m)^[ \t]*\d+[ \t]+\d+[ \t]+[A-Za-z][\w/!.-]*(?:[ \t]+\d+){4}`),
	open: func(b *printBuilder) printReader {
		seen := map[string]bool{}
		return printReader{line: func(line string) error {
			f := strings.Fields(line)
			if len(f) < 14 || !isNumeral(f[0]) || !isNumeral(f[1]) || !slices.ContainsFunc(f[3:14], isNumeral) {
				return nil
			}
			n := make([]float64, 11)
			for i := range n {
				var err error
				if n[i], err = strconv.ParseFloat(f[3+i], 64); err != nil {
					return &Error{errExporterNumber}
				}
			}
			if len(b.looks) == 0 || seen[f[2]] {
				clear(seen)
				b.begin("", b.clock, look.SinceStart)
			}
			seen[f[2]] = true
			if n[0]+n[4] == 0 {
				return nil // the device was never used, such as a RAM disk or a loop device without an image
			}
			b.diskCounters("", f[2], map[string]float64{
				"reads": n[0], "read_kB": n[2] / 2, "read_ms": n[3], "writes": n[4], "write_kB": n[6] / 2, "write_ms": n[7], "busy_ms": n[9], "queue_ms": n[10],
			})
			return nil
		}}
	},
}

// stemOf returns the name of a file without its extension, for components that a print does not
// name. The result is empty for standard input.
func stemOf(file string) string {
	if file == "-" || file == "" {
		return ""
	}
	name := filepath.Base(file)
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// unnamed returns a name for the n-th component of a file, if the file does not name the component.
// The first component gets the name of the file.
func unnamed(file, kind string, n int) string {
	stem := stemOf(file)
	if n == 1 && stem != "" {
		return stem
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s %d", stem, kind, n))
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
