package tool

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// glusterPrint reads the output of the command `gluster volume profile VOLUME info`, as text or
// XML. The output shows how long each brick takes for each operation of the file system.
//
//	Brick: fs1:/export/brick1
//	Cumulative Stats:
//	 %-latency   Avg-latency   Min-Latency   Max-Latency   No. of calls         Fop
//	 ---------   -----------   -----------   -----------   ------------        ----
//	     64.82    1132.28 us      21.00 us  800970.00 us           4575       WRITE
//
// The part about the time since the last output (Interval 3 Stats) is used, because it shows the
// present state. If this part is missing, the part about the whole time (Cumulative Stats) is used.
var glusterPrint = printFormat{
	name:  "gluster volume profile",
	signs: []Sign{{Texts: []string{"Avg-latency", "No. of calls"}}, {Texts: []string{"<volProfile>", "<fopStats>"}}},
	open: func(b *printBuilder) printReader {
		g := &glusterProfile{b: b}
		return printReader{line: g.line, xml: g.xml, end: g.end}
	},
}

// glusterMetrics are the operations that are compared. Other operations are too rare.
var glusterMetrics = map[string]look.Metric{
	"READ":   look.ReadLatency,
	"WRITE":  look.WriteLatency,
	"LOOKUP": {Name: "lookup latency", Unit: "ms", Role: look.HighIsSlow},
	"FSYNC":  {Name: "fsync latency", Unit: "ms", Role: look.HighIsSlow},
}

// glusterProfile is the state of the reader of the output of `gluster volume profile`.
type glusterProfile struct {
	b       *printBuilder
	present bool // true if the output has a part about an interval
	span    look.Span
	samples [2][]look.Sample // by look.Span: samples of the last interval, and samples since the start
}

var (
	glusterBrick = lazyregexp.New(`^\s*Brick: (\S+)\s*$`)
	glusterSpan  = lazyregexp.New(`^\s*(Cumulative|Interval \d+) Stats:`)
	glusterFop   = lazyregexp.New(`^\s*[\d.]+\s+([\d.]+) us\s+[\d.]+ us\s+[\d.]+ us\s+(\d+)\s+([A-Z]+)\s*$`)
)

func (g *glusterProfile) line(line string) error {
	if m := glusterBrick.FindStringSubmatch(line); m != nil {
		g.brick(m[1])
	} else if m := glusterSpan.FindStringSubmatch(line); m != nil {
		g.span = look.Interval
		if m[1] == "Cumulative" {
			g.span = look.SinceStart
		}
	} else if m := glusterFop.FindStringSubmatch(line); m != nil {
		g.fop(m[3], m[1], m[2])
	}
	return nil
}

// brick begins a brick. If the current output already has this brick, a new output begins.
func (g *glusterProfile) brick(name string) {
	for _, s := range g.samples[0] {
		if s.Component == name {
			g.end()
			break
		}
	}
	host, _, _ := strings.Cut(name, ":")
	for i := range g.samples {
		g.samples[i] = append(g.samples[i], look.Sample{Component: name, Host: host, Kind: "bricks"})
	}
	g.span = look.SinceStart
}

// fop adds one operation of the last brick. Latencies are in µs.
func (g *glusterProfile) fop(name, latency, calls string) {
	list := g.samples[g.span]
	us, err := strconv.ParseFloat(latency, 64)
	n, errCalls := strconv.ParseFloat(calls, 64)
	if len(list) == 0 || err != nil || errCalls != nil || n <= 0 {
		return
	}
	s := &list[len(list)-1]
	if m, ok := glusterMetrics[name]; ok {
		s.Values = append(s.Values, look.Value{Metric: m, X: us / 1000, Requests: n})
		g.present = g.present || g.span == look.Interval
	}
	if len(s.Values) == 0 || s.Values[0].Metric.Role != look.Work {
		s.Values = append([]look.Value{{Metric: look.Metric{Name: "calls", Role: look.Work}}}, s.Values...)
	}
	s.Values[0].X += n
}

// end adds a look with the samples of the current output. The next output can then begin.
func (g *glusterProfile) end() {
	span := look.SinceStart
	if g.present {
		span = look.Interval
	}
	if len(g.samples[span]) > 0 {
		g.b.begin("", g.b.clock, span)
		g.b.looks[len(g.b.looks)-1].Seconds = 1 // Requests already is the number of requests, and finish multiplies it by Seconds
		for _, s := range g.samples[span] {
			g.b.add(s)
		}
	}
	*g = glusterProfile{b: g.b}
}

// xml reads the XML of a profile.
func (g *glusterProfile) xml(data []byte) error {
	type fops struct {
		Fops []struct {
			Name       string `xml:"name"`
			Hits       string `xml:"hits"`
			AvgLatency string `xml:"avgLatency"`
		} `xml:"fopStats>fop"`
	}
	var v struct {
		Bricks []struct {
			Name       string `xml:"brickName"`
			Cumulative fops   `xml:"cumulativeStats"`
			Interval   fops   `xml:"intervalStats"`
		} `xml:"volProfile>brick"`
	}
	err := xml.NewDecoder(bytes.NewReader(data)).Decode(&v)
	for _, brick := range v.Bricks {
		g.brick(brick.Name)
		for span, some := range []fops{brick.Interval, brick.Cumulative} {
			g.span = look.Span(span)
			for _, f := range some.Fops {
				g.fop(f.Name, f.AvgLatency, f.Hits)
			}
		}
	}
	g.end()
	return err
}
