package tables

import (
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/metric"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/yamlfile"
)

// A Description says how to read long tables, that is tables with a line for
// each component and time. It is written as YAML:
//
//	name: cluster A                    # for reports; default: the name of this file
//	files: "{cluster}/{host}/*.csv"    # the ends of the paths to read; or a list of such
//	                                   #   {host} takes a field from the path, * is anything without a /
//	                                   #   .gz, .zst or .xz may follow; default: *.csv and *.parquet
//	separator: ","                     # or ";" or tab; default: what the header has most of
//	time:
//	  column: ts
//	  format: unix                     # unix, unix_ms, unix_us, unix_ns, rfc3339, or a layout,
//	                                   #   "2006-01-02 15:04:05" or "%Y-%m-%d %H:%M:%S"
//	  zone: Europe/Berlin              # of layouts that have none; default: UTC
//	component: "{host}/{disk_id}"      # its name, of fields from path and columns
//	group: "{host}"                    # its peer group
//	server: "{host}"                   # what it hangs on, where known; likewise
//	device: "{disk_id}"                #   array, controller, drawer and model
//	metrics:
//	  latency:
//	    column: latency                # default: the metric's name
//	    unit: us
//	    worse: higher                  # or lower, either
//	    noise: 10                      # a difference that does not matter; default: 0
//	    mean: load                     # see below; or time
//	  throughput: {unit: B/s, worse: either, load: true}
//	absence: ignore                    # a component without a line: the collector may have lost it;
//	                                   #   or tells: the component was gone
//
// A tidy table has one value on a line. Its column: is then what the metric is
// called there, and two more keys say where:
//
//	tidy: {metric: name, value: value}
//
// Several samples of a component within one step are averaged. Where a metric
// has load: true, the others are weighted by it, so that latency is the mean
// over the work done and a busy second counts more than an idle one; a metric
// that is itself a rate is better averaged over time, with mean: time.
type Description struct {
	Name    string          // of the system
	Metrics []metric.Metric // in the order of the file

	files       []pathPattern
	separator   byte // 0: to be detected
	clock       clock
	component   template
	group       template
	traits      []trait
	tidy        bool
	nameColumn  string // of a tidy table
	valueColumn string
	columns     []string // by metric: its column, or its name in a tidy table
	weighted    []bool   // by metric: averaged over the load
	load        int      // the metric that is the load, -1 where none is
	tells       bool
}

// A trait is something that a component is known to hang on.
type trait struct {
	of   func(*topology.Component) *string
	text template
}

var traitFields = []struct {
	key string
	of  func(*topology.Component) *string
}{
	{"server", func(c *topology.Component) *string { return &c.Server }},
	{"device", func(c *topology.Component) *string { return &c.Device }},
	{"array", func(c *topology.Component) *string { return &c.Array }},
	{"controller", func(c *topology.Component) *string { return &c.Controller }},
	{"drawer", func(c *topology.Component) *string { return &c.Drawer }},
	{"model", func(c *topology.Component) *string { return &c.Model }},
}

// ParseDescription reads a description; name is what errors call it. The error
// joins all mistakes, each a [yamlfile.LineError], for [yamlfile.Explain].
func ParseDescription(name string, data []byte) (*Description, error) {
	r := &descriptionReader{Decoder: yamlfile.New(name)}
	r.load, r.Name = -1, stem(name)
	if root := r.Root(data, "files:, time: and component:"); root != nil {
		r.read(root)
	}
	if r.Mistakes() > 0 {
		return nil, r.Err()
	}
	return &r.Description, nil
}

type descriptionReader struct {
	*yamlfile.Decoder
	Description
}

func (r *descriptionReader) read(root *yaml.Node) {
	known := []string{"name", "files", "separator", "time", "component", "group", "tidy", "metrics", "absence"}
	for _, t := range traitFields {
		known = append(known, t.key)
	}
	f := r.Fields(root, "a description of tables", known...)
	if !r.Required(root, f, "time", "component", "group", "metrics") {
		return
	}
	if f["name"] != nil {
		r.Name = r.Text(f["name"])
	}
	r.readFiles(f["files"])
	r.readSeparator(f["separator"])
	r.readTime(f["time"])
	r.component = r.template(f["component"])
	r.group = r.template(f["group"])
	for _, t := range traitFields {
		if f[t.key] != nil {
			r.traits = append(r.traits, trait{t.of, r.template(f[t.key])})
		}
	}
	r.readTidy(f["tidy"])
	r.readMetrics(f["metrics"])
	r.tells = r.Choice(f["absence"], "ignore", "tells") == "tells"
}

func (r *descriptionReader) readFiles(n *yaml.Node) {
	patterns := []string{"*.csv", "*.parquet"}
	if n != nil {
		patterns = r.Texts(n)
	}
	for _, text := range patterns {
		p, err := parsePathPattern(text)
		if err != nil {
			r.Errorf(n, "%v", err)
		}
		r.files = append(r.files, p)
	}
}

func (r *descriptionReader) readSeparator(n *yaml.Node) {
	switch text := r.Text(n); {
	case n == nil:
	case text == "," || text == ";" || text == "\t":
		r.separator = text[0]
	case text == "tab":
		r.separator = '\t'
	default:
		r.Errorf(n, "separator %q is not known; write \",\", \";\" or tab, or leave it out", text)
	}
}

// readTime takes the column alone as well, for Unix seconds.
func (r *descriptionReader) readTime(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		r.clock, _ = newClock("unix", "")
		r.clock.column = n.Value
		return
	}
	f := r.Fields(n, "time", "column", "format", "zone")
	if !r.Required(n, f, "column") {
		return
	}
	format := "unix"
	if f["format"] != nil {
		format = r.Text(f["format"])
	}
	c, err := newClock(format, r.Text(f["zone"]))
	if err != nil {
		r.Errorf(n, "%v", err)
	}
	c.column = r.Text(f["column"])
	r.clock = c
}

func (r *descriptionReader) readTidy(n *yaml.Node) {
	if n == nil {
		return
	}
	f := r.Fields(n, "tidy", "metric", "value")
	if !r.Required(n, f, "metric", "value") {
		return
	}
	r.tidy, r.nameColumn, r.valueColumn = true, r.Text(f["metric"]), r.Text(f["value"])
}

func (r *descriptionReader) template(n *yaml.Node) template {
	t, err := parseTemplate(r.Text(n))
	if err != nil {
		r.Errorf(n, "%v", err)
	}
	return t
}

// usedFields lists the fields that the templates name, each once.
func (d *Description) usedFields() []string {
	all := append(d.component.fields(), d.group.fields()...)
	for _, t := range d.traits {
		all = append(all, t.text.fields()...)
	}
	var once []string
	for _, field := range all {
		if !slices.Contains(once, field) {
			once = append(once, field)
		}
	}
	return once
}

// stem is the name of a file without directories and ending.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
