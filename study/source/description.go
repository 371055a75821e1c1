package source

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/study"
)

// A Description describes the files of a fleet: records of drives, an inventory and a
// log of events. People write it as YAML. Every key may be left out; the defaults are:
//
//	files: ["*.csv", "*.parquet"]      # this and separator:, time: and names as in tabular.Decoder
//	separator: ","
//	time: {column: time, zone: UTC, marks: begin}
//	group: group                       # a column, or text of fields: "{pool}/{raid}"
//	drive: drive                       # the same: "{host}/{disk_id}"
//	role: {column: role, parity: [parity]}   # words for parity drives
//	kind: ssd                          # of all drives that are not in the inventory; or disk
//	ios: {column: ios, unit: count}    # requests in the time of the record; or 1/s, or none
//	latency: {column: latency_us, unit: us}  # mean; or ns, ms, s
//	size: {column: size_bytes, unit: B}      # mean bytes per request; or kB, KiB, sectors, or none
//	reads: {ios: …, latency: …, size: …}     # the same for reads and for writes, if they are separate;
//	writes: {…}                              #   if latency: is not given, all I/O is their sum
//	inventory:                         # its columns
//	  {drive: drive, group: group, role: role, kind: kind, model: model, vendor: vendor, flash: flash,
//	   interface: interface, capacity: capacity_gb, rpm: rpm, deployed: deployed}
//	events: {time: time, drive: drive, event: event, zone: UTC, words: {unplugged: [pulled, removed]}}
//
// A column that the description names must exist. A default column is read if it exists.
type Description struct {
	tabular.Common
	Group tabular.Template
	Drive tabular.Template
	Kind  study.Kind // of drives that are not in an inventory
	// Measures by direction; nil: not in the data. If the measure of All is nil,
	// it is computed from reads and writes.
	Measures  [study.Directions]*Measure
	Inventory Inventory
	Events    Events

	role   string   // column of the role
	parity []string // words for parity drives
}

// A Measure holds the columns of the I/O of one direction.
type Measure struct{ IOs, Latency, Size Quantity }

// A Quantity is a column and the factor to the units of a study; an empty Column: none.
type Quantity struct {
	Column  string
	Scale   float64
	Rate    bool // requests per second, and not a total
	Assumed bool // a default column, which may be missing
}

// defaultDescription returns the description of the files that `limpet simulate fleet` writes.
func defaultDescription() *Description {
	d, err := parse("default", []byte("{}"))
	if err != nil {
		panic(err) // cannot happen: the defaults are constants of this package
	}
	return d
}

// parse parses a description. The error joins all mistakes, each a [yamlfile.LineError] with
// the name of the description, for [yamlfile.Explain].
func parse(name string, data []byte) (*Description, error) {
	r := &descriptionReader{Decoder: tabular.NewDecoder(name)}
	if root := r.Root(data, "time:, group: and drive:"); root != nil {
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
	f := r.Fields(root, "a description file of drive records", "files", "separator", "decimal", "time", "group", "drive", "role", "kind",
		"ios", "latency", "size", "reads", "writes", "inventory", "events")
	r.Common = r.ReadFiles(f)
	r.Time = r.ReadTime(f["time"], "time")
	r.Group = r.template(f["group"], "group")
	r.Drive = r.template(f["drive"], "drive")
	r.readRole(f["role"])
	r.Kind = r.readKind(f["kind"])
	r.readMeasures(f)
	r.readInventory(f["inventory"])
	r.readEvents(f["events"])
}

// template reads a template; if n is nil, it returns the template of the column usual.
func (r *descriptionReader) template(n *yaml.Node, usual string) tabular.Template {
	if n == nil {
		return tabular.Field(usual)
	}
	return r.ReadVarying(n)
}

// readRole reads a mapping, or only the name of the column.
func (r *descriptionReader) readRole(n *yaml.Node) {
	r.parity = []string{"parity"}
	var f map[string]*yaml.Node
	if r.role, f = r.ReadColumn(n, "role", "parity"); f["parity"] != nil {
		r.parity = r.Texts(f["parity"])
	}
}

func (r *descriptionReader) readKind(n *yaml.Node) study.Kind {
	if n == nil {
		return study.Unknown
	}
	if r.Choice(n, "disk", "ssd") == "ssd" {
		return study.SSD
	}
	return study.Disk
}

// RoleOf returns the role for a word in records or an inventory.
func (d *Description) RoleOf(word string) study.Role {
	if slices.Contains(d.parity, word) {
		return study.Parity
	}
	return study.Data
}

// RoleColumn returns the column of the role: the column of the description, or else the default
// column if names has it; empty: none.
func (d *Description) RoleColumn(names []string) string {
	const usual = "role"
	if d.role == "" && slices.Contains(names, usual) {
		return usual
	}
	return d.role
}

// Directions returns the directions that the data have, and always All, which may be computed
// from reads and writes.
func (d *Description) Directions() []study.Direction {
	out := []study.Direction{study.All}
	for _, direction := range []study.Direction{study.Reads, study.Writes} {
		if d.Measures[direction] != nil {
			out = append(out, direction)
		}
	}
	return out
}
