package store

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

// A Description names the series to read from a store, and the columns of the table that is made
// from these series. It is for exporters other than node_exporter. People write a Description as
// YAML. The format is similar to the descriptions of package tables:
//
//	name: ceph
//	split: instance                    # request the series of one value of this label at a time; default: request all series together
//	match: {cluster: a}                # read only series with these labels
//	component: "{ceph_daemon}"         # name of the component, made of labels; a single word is a label
//	group: {text: OSDs}                # peer group of the component, also made of labels
//	server: "{hostname}"               # optional: the server that the component is attached to;
//	                                   #   device, array, controller, drawer and model are also possible
//	metrics:
//	  latency:
//	    of: [ceph_osd_op_r_latency_sum, ceph_osd_op_w_latency_sum]      # counters; their increases are added
//	    per: [ceph_osd_op_r_latency_count, ceph_osd_op_w_latency_count] # counters; the sum of "of" is divided by the sum of their increases
//	                                   #   default: divided by the seconds between the samples
//	    times: 1000                    # factor that converts the quotient into the unit; default: 1
//	    unit: ms                       # unit, worse, noise, load and mean are the same as in package tables
//	    worse: higher
//	  queue: {gauge: [some_gauge{kind="read"}], unit: requests, worse: higher}  # the value itself is used
//	absence: ignore
//
// A series in the description may have conditions on its labels, such as some_gauge{kind="read"}.
//
// The series of a component are joined by time, because all series of one scrape have the same
// time. The increase of a counter is missing if the counter decreased, or if the previous sample is
// more than five minutes older. If a metric has the key `per` and its divisor is 0, the component
// had no requests, and the value of the metric is 0.
type Description struct {
	Name  string
	Split string // label by which queries to the store are divided: one query for each value of the label
	Match []Match

	named   []nameColumn // columns that contain names: the component, its group, and the optional columns (traits)
	metrics []metric
	picks   []pick
	absence string
}

// nameColumn is a column of names, and the template that makes a name from labels.
type nameColumn struct {
	column string
	text   tabular.Template
}

// A metric states which series the values of a metric come from, and how they are computed.
type metric struct {
	Name               string
	unit, worse, noise string
	mean               string
	load               bool
	// value = times × sum of the series in metric.of / sum of the series in metric.per. The
	// elements of metric.of and metric.per are indexes in Description.picks. If metric.per is nil,
	// the first sum is not divided.
	of, per []int
	times   float64 // factor by which the values are multiplied
}

// sampleUse states which number is computed from a sample.
type sampleUse uint8

const (
	asGauge      sampleUse = iota // the value itself
	asDifference                  // increase since the previous sample
	asRate                        // increase since the previous sample, per second
)

// A pick selects the series that have a given name and given labels.
type pick struct {
	name   string
	labels []Match
	use    sampleUse
}

// traits has the names of the optional columns, which describe a component and the parts that it is
// attached to. Package tables has the same columns.
var traits = []string{"server", "device", "array", "controller", "drawer", "model"}

// ParseDescribed parses a description. The caller passes the name of the description's file, for
// error messages.
func ParseDescribed(name string, data []byte) (*Description, error) {
	r := &describedReader{Decoder: tabular.NewDecoder(name)}
	r.Name = strings.TrimSuffix(path.Base(name), path.Ext(name))
	if root := r.Root(data, "component:, group: and metrics:"); root != nil {
		r.read(root)
	}
	if r.Mistakes() > 0 {
		return nil, r.Err()
	}
	return &r.Description, nil
}

type describedReader struct {
	tabular.Decoder
	Description
}

func (r *describedReader) read(root *yaml.Node) {
	f := r.Fields(root, "a description file of series", append([]string{"name", "split", "match", "component", "group", "metrics", "absence"}, traits...)...)
	if !r.Required(root, f, "component", "group", "metrics") {
		return
	}
	if f["name"] != nil {
		r.Name = r.Text(f["name"])
	}
	r.Split = r.Text(f["split"])
	if f["match"] != nil {
		for _, p := range r.Pairs(f["match"], "match") {
			r.Match = append(r.Match, Match{Name: p.Key, Value: r.Text(p.Value)})
		}
	}
	r.named = []nameColumn{{"component", r.ReadVarying(f["component"])}, {"group", r.ReadTemplate(f["group"])}}
	for _, t := range traits {
		if f[t] != nil {
			r.named = append(r.named, nameColumn{t, r.ReadTemplate(f[t])})
		}
	}
	pairs := r.Pairs(f["metrics"], "metrics")
	if len(pairs) == 0 {
		r.Errorf(f["metrics"], "the description file has no metric; add a metric, such as latency: {of: [some_seconds_total], per: [some_requests_total], unit: s, worse: higher}")
	}
	for _, p := range pairs {
		r.metric(p)
	}
	r.absence = r.Choice(f["absence"], "ignore", "tells")
}

func (r *describedReader) metric(p yamlfile.Pair) {
	f := r.Fields(p.Value, "metric "+p.Key, "of", "per", "gauge", "times", "unit", "worse", "noise", "load", "mean")
	if !r.Required(p.At, f, "worse") {
		return
	}
	m := metric{Name: p.Key, unit: r.Text(f["unit"]), worse: r.Text(f["worse"]), noise: r.Text(f["noise"]), mean: r.Text(f["mean"]), times: 1}
	m.load = r.Choice(f["load"], "false", "true") == "true"
	if at := f["times"]; at != nil {
		v, err := strconv.ParseFloat(r.Text(at), 64)
		if err != nil || v <= 0 || math.IsInf(v, 0) {
			r.Errorf(at, "the value %q of the setting \"times\" is not a number above 0; write the factor that converts the value to the unit, such as 1000", r.Text(at))
		}
		m.times = v
	}
	if (f["of"] == nil) == (f["gauge"] == nil) {
		r.Errorf(p.At, "metric %s needs one of two settings: \"of\" for counters (limpet uses the differences between samples), or \"gauge\" for a value that limpet uses as it is", p.Key)
		return
	}
	kind, what := asRate, f["of"]
	switch {
	case f["gauge"] != nil:
		kind, what = asGauge, f["gauge"]
	case f["per"] != nil:
		kind = asDifference
	}
	m.of, m.per = r.pickIndexes(what, kind), r.pickIndexes(f["per"], min(kind, asDifference))
	r.metrics = append(r.metrics, m)
}

// pickIndexes returns the index in r.picks of each series in a YAML list. It adds a series that is
// not in r.picks yet.
func (r *describedReader) pickIndexes(n *yaml.Node, h sampleUse) (list []int) {
	for _, text := range r.Texts(n) {
		p, err := parsePick(text)
		if err != nil {
			r.Errorf(n, "%v", err)
			continue
		}
		p.use = h
		at := slices.IndexFunc(r.picks, func(q pick) bool {
			return q.name == p.name && q.use == p.use && slices.Equal(q.labels, p.labels)
		})
		if at < 0 {
			at = len(r.picks)
			r.picks = append(r.picks, p)
		}
		list = append(list, at)
	}
	return list
}

// parsePick parses a series, which is written as name or name{label="value",…}.
func parsePick(text string) (p pick, err error) {
	wrong := fmt.Errorf("%q is not a series; write the name of a series, or name{label=\"value\"}", text)
	name, rest, labelled := strings.Cut(text, "{")
	p.name = name
	if name == "" || strings.ContainsAny(name, " \"'=,}") {
		return p, wrong
	}
	if !labelled {
		return p, nil
	}
	body, ok := strings.CutSuffix(rest, "}")
	if !ok {
		return p, wrong
	}
	for _, pair := range strings.Split(body, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(pair), "=")
		value, err := strconv.Unquote(value)
		if !ok || err != nil || key == "" {
			return p, wrong
		}
		p.labels = append(p.labels, Match{Name: key, Value: value})
	}
	return p, nil
}

// Matches returns the conditions that match all series of the description.
func (d *Description) Matches() []Match {
	var names []string
	for _, p := range d.picks {
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	slices.Sort(names)
	return append([]Match{{Name: "__name__", Value: strings.Join(names, "|"), Regexp: true}}, d.Match...)
}

// First returns the conditions that match the first series of the first metric. Every
// component should have this series.
func (d *Description) First() []Match {
	p := d.picks[d.metrics[0].of[0]]
	return slices.Concat([]Match{{Name: "__name__", Value: p.name}}, p.labels, d.Match)
}
