package tables

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/ingest/tool"
	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/topology"
)

// A Description describes long tables, that is tables with a line for each component and time.
// People write it as YAML:
//
//	name: cluster A                    # for reports; default: the name of this file
//	files: "{cluster}/{host}/*.csv"    # see tabular.Decoder, also for separator:, time: and names
//	separator: ","
//	form: iostat                       # the tool that printed the files, see package tool; default: none, files are tables
//	time: {column: ts, format: unix, zone: Europe/Berlin, marks: end}
//	component: "{host}/{disk_id}"      # name of the component, made of fields of the path and of columns
//	group: host                        # peer group of the component; {text: all} if all components are peers
//	server: host                       # optional: the server that the component is attached to
//	device: disk_id                    # optional; array, controller, drawer, model, volume and kind are also possible
//	metrics:
//	  latency:
//	    column: latency                # default: the metric's name
//	    unit: us
//	    worse: higher                  # or lower, either
//	    noise: 10                      # a difference that does not matter, in the unit of the metric; default: 0
//	    mean: load                     # mean weighted by the load, see below; or time: mean over time
//	  throughput: {unit: B/s, worse: either, load: true}
//	room: {bytes: size, free: avail, files: inodes, free_files: ifree, unit: kB}
//	                                   # optional, needs server: columns with the size and the free space of the component's
//	                                   #   file system, in B unless there is a unit; inodes are optional
//	absence: ignore                    # a missing line means nothing: the collector may have lost it;
//	                                   #   tells: a missing line means that the component was absent
//
// A tidy table has one value on each line. In its description, the key `column` of a metric has the
// name of the metric in the table. The key `tidy` names two columns: the column with the names of
// metrics, and the column with the values:
//
//	tidy: {metric: name, value: value}
//
// If a component has several samples within one step, the row gets their mean. If one metric has
// `load: true`, the means of the other metrics are weighted by this load: a busy second counts more
// than an idle second. So the mean latency is the mean over all requests. For a metric that is
// itself a rate, write `mean: time`. The mean of this metric is then the mean over time.
type Description struct {
	Name    string          // name of the system
	Metrics []metric.Metric // metrics in the order of the description

	tabular.Common
	Format       *tool.TableFormat // the tool that printed the files; nil if files are tables
	Component    tabular.Template
	Group        tabular.Template
	Tidy         bool
	NameColumn   string // column of a tidy table that contains the names of metrics
	ValueColumn  string
	Columns      []string // for each value: its column, or the name of its metric in a tidy table; the metrics come first, then the values about the file system (key `room`)
	Weighted     []bool   // for each value: true if its mean is weighted by the load
	Load         int      // index of the metric that is the load; -1 if no metric is the load
	AbsenceTells bool     // true if a component without a line in a step was absent; false if the collector may have lost the line
	room         []roomField
	roomUnit     float64 // number of bytes in one unit of the sizes of file systems (key `room`)
	traits       []trait
}

// A trait is a property of a component, such as its server.
type trait struct {
	key   string
	field func(*topology.Component) *string
	text  tabular.Template
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
	{"volume", func(c *topology.Component) *string { return &c.Volume }},
	{"kind", func(c *topology.Component) *string { return &c.Storage }},
}

// parse parses a description. The caller passes the name of the description's file, for error
// messages. The error joins all mistakes. Each mistake is a [yamlfile.LineError], which
// [yamlfile.Explain] prints with its line.
func parse(name string, data []byte) (*Description, error) {
	r := &descriptionReader{Decoder: tabular.NewDecoder(name)}
	r.Load, r.Name = -1, stem(name)
	if root := r.Root(data, "files:, time: and component:"); root != nil {
		r.read(root)
	}
	if r.Mistakes() > 0 {
		return nil, r.Err()
	}
	return &r.Description, nil
}

type descriptionReader struct {
	tabular.Decoder
	Description
}

func (r *descriptionReader) read(root *yaml.Node) {
	known := []string{"name", "files", "separator", "decimal", "form", "time", "component", "group", "tidy", "metrics", "room", "absence"}
	for _, t := range traitFields {
		known = append(known, t.key)
	}
	f := r.Fields(root, "a description file of tables", known...)
	if !r.Required(root, f, "time", "component", "group", "metrics") {
		return
	}
	if f["name"] != nil {
		r.Name = r.Text(f["name"])
	}
	r.Common = r.ReadFiles(f)
	r.readForm(f["form"])
	r.Time = r.ReadTime(f["time"], "")
	r.Component = r.ReadVarying(f["component"])
	r.Group = r.ReadTemplate(f["group"])
	for _, t := range traitFields {
		if f[t.key] != nil {
			r.traits = append(r.traits, trait{t.key, t.of, r.ReadTemplate(f[t.key])})
		}
	}
	r.readTidy(f["tidy"])
	r.readMetrics(f["metrics"])
	r.readRoom(f["room"])
	r.AbsenceTells = r.Choice(f["absence"], "ignore", "tells") == "tells"
}

// readForm reads the key `form`, which is the name of the tool that printed the files.
func (r *descriptionReader) readForm(n *yaml.Node) {
	if n == nil {
		return
	}
	if r.Format = tool.LookupTable(r.Text(n)); r.Format == nil {
		r.Errorf(n, "the value %q of the setting \"form\" is unknown; write one of %s; if the files are tables, remove the setting", r.Text(n), strings.Join(tool.TableNames(), ", "))
	}
}

func (r *descriptionReader) readTidy(n *yaml.Node) {
	if n == nil {
		return
	}
	f := r.Fields(n, "tidy", "metric", "value")
	if !r.Required(n, f, "metric", "value") {
		return
	}
	r.Tidy, r.NameColumn, r.ValueColumn = true, r.Text(f["metric"]), r.Text(f["value"])
}

// Describe returns the component that a line belongs to. Describe calls the function `value` to get
// the text of a field: a column of the line, or a part of the file's path.
func (d *Description) Describe(value func(field string) string) topology.Listed {
	l := topology.Listed{Peers: d.Group.Fill(value)}
	l.Name = d.Component.Fill(value)
	for _, t := range d.traits {
		*t.field(&l.Component) = t.text.Fill(value)
	}
	l.DeviceLabel = l.Device != "" && (d.Format == nil || !d.Format.Devices)
	return l
}

// Hinted adds a hint to the error for a missing column. If a setting such as `group` names that
// column, the user may have meant this word as a fixed text, and not as a column. The hint then is
// to write {text: word}.
func (d *Description) Hinted(err error) error {
	absent, ok := errors.AsType[*tabular.ColumnError](err)
	if !ok {
		return err
	}
	for _, t := range append([]trait{{key: "group", text: d.Group}}, d.traits...) {
		if word := t.text.Word(); word != "" && slices.Contains(absent.Absent, word) {
			if near, ok := yamlfile.Nearest(word, absent.Columns); ok {
				return fmt.Errorf("%w; did you mean %s? If all lines should have the text %s, write %s: {text: %[3]s}", err, near, word, t.key)
			}
			return fmt.Errorf("%w; if all lines should have the text %s, write %s: {text: %s}", err, word, t.key, word)
		}
	}
	return err
}

// WithConstants is for the case that files were refused because they lack a column. For example,
// `group: all` needs a column with the name "all". WithConstants returns a description that uses
// the word "all" itself as the group of every line, as `group: {text: all}` does. An earlier
// version of limpet read such a description in this way. WithConstants also returns a warning for
// each such word. The result is nil in these cases:
//
//   - A file was refused for another reason.
//   - A file has a column with a similar name, so the word may be misspelt.
//   - Some of the refused files have the column.
//   - The column is also used elsewhere in the description, for example as the time.
func (d *Description) WithConstants(refused []error) (*Description, []ingest.Warning) {
	words, files := map[string]bool{}, map[string]int{} // files has, for each column, the number of files without the column
	for _, err := range refused {
		absent, ok := errors.AsType[*tabular.ColumnError](err)
		if !ok {
			return nil, nil
		}
		for _, word := range absent.Absent {
			if _, near := yamlfile.Nearest(word, absent.Columns); near {
				return nil, nil
			}
			files[word]++
			words[word] = true
		}
	}
	for _, n := range files {
		if n < len(refused) {
			return nil, nil
		}
	}
	var warnings []ingest.Warning
	constant := func(key string, t tabular.Template) tabular.Template {
		word := t.Word()
		if !words[word] {
			return t
		}
		warnings = append(warnings, ingest.Warning{Text: fmt.Sprintf("setting \"%s\": the files have no column %s, so limpet uses this word as the text for all lines; write %[1]s: {text: %[2]s}, because later versions of limpet will read a single word as the name of a column", key, word)})
		return tabular.Constant(word)
	}
	changed := *d
	changed.Group, changed.traits = constant("group", d.Group), slices.Clone(d.traits)
	for i, t := range d.traits {
		changed.traits[i].text = constant(t.key, t.text)
	}
	for _, field := range append(changed.UsedFields(), changed.Time.Column) {
		if words[field] {
			return nil, nil
		}
	}
	if len(warnings) == 0 {
		return nil, nil
	}
	return &changed, warnings
}

// UsedFields returns the fields (columns and parts of the path) that the description uses for
// names, without duplicates.
func (d *Description) UsedFields() []string {
	all := append(d.Component.Fields(), d.Group.Fields()...)
	for _, t := range d.traits {
		all = append(all, t.text.Fields()...)
	}
	var once []string
	for _, field := range all {
		if !slices.Contains(once, field) {
			once = append(once, field)
		}
	}
	return once
}

// stem returns the name of a file without directories and extension.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
