package netdata

import (
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/histogram"
)

// Form is that of Netdata.
var Form = histogram.Form{
	Name:    "netdata",
	Title:   "disk latencies of Netdata's eBPF plugin, as its API exports them",
	Command: "curl 'localhost:19999/api/v1/allmetrics?format=prometheus&filter=disk_latency_io.*'",
	Signs:   []string{"netdata_disk_latency_io"},
	Read:    read,
}

var line = regexp.MustCompile(`^netdata_disk_latency_io\w*\{([^}]*)\} (\S+) (\d{12,14})$`)

var label = regexp.MustCompile(`(\w+)="([^"]*)"`)

// poll is the lines of one time.
type poll struct {
	text  *histogram.Text
	at    int64
	disks map[string][]histogram.Bin
}

func read(t *histogram.Text) iter.Seq2[histogram.Sample, error] {
	return func(yield func(histogram.Sample, error) bool) {
		p := poll{text: t, disks: map[string][]histogram.Bin{}}
		for {
			text, ok, err := t.Next()
			if err != nil {
				yield(histogram.Sample{}, err)
				return
			}
			if !ok {
				p.end(yield)
				return
			}
			m := line.FindStringSubmatch(text)
			if m == nil {
				continue
			}
			ms, err := strconv.ParseInt(m[3], 10, 64)
			if at := ms / msInSecond; err == nil && at != p.at {
				if !p.end(yield) {
					return
				}
				p.at = at
			}
			if err := p.take(m[1], m[2]); err != nil {
				yield(histogram.Sample{}, err)
				return
			}
		}
	}
}

const msInSecond = 1000

func (p *poll) take(labels, value string) error {
	of := map[string]string{}
	for _, m := range label.FindAllStringSubmatch(labels, -1) {
		of[m[1]] = m[2]
	}
	_, disk, _ := strings.Cut(of["chart"], ".")
	rate, err := strconv.ParseFloat(value, 64)
	if err != nil || !(rate >= 0) || math.IsInf(rate, 0) {
		return p.text.Errorf("%q requests a second: a number is needed", value)
	}
	from, to, ok := strings.Cut(of["dimension"], "->")
	low, okLow := histogram.Duration(from)
	high, okHigh := histogram.Duration(to)
	if strings.Contains(to, "Inf") {
		high, okHigh = math.Inf(1), true
	}
	if disk == "" || !ok || !okLow || !okHigh || !(low < high) {
		return p.text.Errorf("requests of chart %q and dimension %q: a disk and a range such as 64us->128us are needed", of["chart"], of["dimension"])
	}
	p.disks[disk] = append(p.disks[disk], histogram.Bin{LowNs: low, HighNs: high, Requests: rate})
	return nil
}

func (p *poll) end(yield func(histogram.Sample, error) bool) bool {
	var names []string
	for name := range p.disks {
		names = append(names, name)
	}
	slices.Sort(names)
	host := p.text.Stem()
	for _, name := range names {
		s := histogram.Sample{Time: p.at, Component: host + "/" + name, Peers: host, Kind: histogram.Rate, Bins: p.disks[name]}
		if !yield(s, nil) {
			return false
		}
	}
	clear(p.disks)
	return true
}
