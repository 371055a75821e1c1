package tool

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// netdataHistograms reads the disk latencies of Netdata's eBPF plugin. Netdata's API exports these
// latencies in the format of Prometheus. A script polls the API:
//
//	while sleep 15; do curl -s 'localhost:19999/api/v1/allmetrics?format=prometheus&filter=disk_latency_io.*'; done > fs1.prom
//
//	netdata_disk_latency_io_calls_persec_average{chart="disk_latency_io.sda",dimension="64us->128us",family="sda"} 3.2 1794784343000
//
// A line has the mean number of requests per second since the last poll, for one range of
// latencies. Netdata does not separate reads from writes, so all requests count as reads. Because
// the rates are means, the computed numbers of requests are approximate. The name of the file is
// the name of the server.
var netdataHistograms = HistogramFormat{
	Name:    "netdata",
	Title:   "disk latencies of Netdata's eBPF plugin, from its API",
	Command: "curl 'localhost:19999/api/v1/allmetrics?format=prometheus&filter=disk_latency_io.*'",
	Sign:    Sign{Texts: []string{"netdata_disk_latency_io"}},
	Read:    readNetdata,
}

var netdataLine = lazyregexp.New(`^netdata_disk_latency_io\w*\{([^}]*)\} (\S+) (\d{12,14})$`)

var netdataLabel = lazyregexp.New(`(\w+)="([^"]*)"`)

// netdataPoll collects the lines of one poll.
type netdataPoll struct {
	text  *Text
	time  int64
	disks map[string][]Bin
}

func readNetdata(t *Text) iter.Seq2[Sample, error] {
	return func(yield func(Sample, error) bool) {
		p := netdataPoll{text: t, disks: map[string][]Bin{}}
		for {
			text, ok, err := t.Next()
			if err != nil {
				yield(Sample{}, err)
				return
			}
			if !ok {
				p.end(yield)
				return
			}
			m := netdataLine.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			ms, err := strconv.ParseInt(m[3], 10, 64)
			if at := ms / msInSecond; err == nil && at != p.time {
				if !p.end(yield) {
					return
				}
				p.time = at
			}
			if err := p.take(m[1], m[2]); err != nil {
				yield(Sample{}, err)
				return
			}
		}
	}
}

const msInSecond = 1000

func (p *netdataPoll) take(labels, value string) error {
	of := map[string]string{}
	for _, m := range netdataLabel.FindAllStringSubmatch(labels, -1) {
		of[m[1]] = m[2]
	}
	_, disk, _ := strings.Cut(of["chart"], ".")
	rate, err := strconv.ParseFloat(value, 64)
	if err != nil || !(rate >= 0) || math.IsInf(rate, 0) {
		return p.text.Errorf("the number of requests a second is %q, which is not a number", value)
	}
	from, to, ok := strings.Cut(of["dimension"], "->")
	low, okLow := parseDuration(from)
	high, okHigh := parseDuration(to)
	if strings.Contains(to, "Inf") {
		high, okHigh = math.Inf(1), true
	}
	if disk == "" || !ok || !okLow || !okHigh || !(low < high) {
		return p.text.Errorf("chart %q with dimension %q cannot be read: the chart must name a disk, and the dimension must be a range of latencies such as 64us->128us", of["chart"], of["dimension"])
	}
	p.disks[disk] = append(p.disks[disk], Bin{LowNs: low, HighNs: high, Requests: rate})
	return nil
}

func (p *netdataPoll) end(yield func(Sample, error) bool) bool {
	var names []string
	for name := range p.disks {
		names = append(names, name)
	}
	slices.Sort(names)
	host := p.text.Stem()
	for _, name := range names {
		s := Sample{Time: p.time, Component: host + "/" + name, Peers: host, Kind: perSecond, Bins: p.disks[name]}
		if !yield(s, nil) {
			return false
		}
	}
	clear(p.disks)
	return true
}
