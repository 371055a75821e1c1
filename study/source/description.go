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
//	drive: drive                       # likewise: "{host}/{disk_id}"
//	role: {column: role, parity: [parity]}   # what parity drives are called there
//	kind: ssd                          # of all drives that the inventory does not know; or disk
//	ios: {column: ios, unit: count}    # requests in the time of the record; or 1/s, or none
//	latency: {column: latency_us, unit: us}  # mean; or ns, ms, s
//	size: {column: size_bytes, unit: B}      # mean bytes a request; or kB, KiB, sectors, or none
//	reads: {ios: …, latency: …, size: …}     # the same of reads and of writes, where they are apart;
//	writes: {…}                              #   without latency: above, all I/O is both together
//	inventory:                         # its columns
//	  {drive: drive, group: group, role: role, kind: kind, model: model, vendor: vendor, flash: flash,
//	   interface: interface, capacity: capacity_gb, rpm: rpm, deployed: deployed}
//	events: {time: time, drive: drive, event: event, zone: UTC, words: {unplugged: [pulled, removed]}}
//
// A column that the description names must exist. A default column is read where it
// exists.
type Description struct {
	tabular.Common
	Group tabular.Template
	Drive tabular.Template
	Kind  study.Kind // of drives that no inventory knows
	// Measures by direction; nil where the data do not have it. All I/O
	// without one is made of reads and writes.
	Measures  [study.Directions]*Measure
	Inventory Inventory
	Events    Events

	role   string // a column
	parity []string
}

// A Measure is what is known of the I/O of one direction.
type Measure struct{ IOs, Latency, Size Quantity }

// A Quantity is a column and what it is multiplied by; without a name there is
// none.
type Quantity struct {
	Column  string
	Scale   float64
	Rate    bool // of requests: a second, not in all
	Assumed bool // by default: may be absent
}

// defaultDescription is that of what `limpet simulate fleet` writes.
func defaultDescription() *Description {
	d, err := parse("default", []byte("{}"))
	if err != nil {
		panic(err) // the defaults are as they are written here
	}
	return d
}

// parse parses a description. Errors name it. The error joins all mistakes, each a
// [yamlfile.LineError], for [yamlfile.Explain].
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

// template is of the column called usual where the key is not there.
func (r *descriptionReader) template(n *yaml.Node, usual string) tabular.Template {
	if n == nil {
		return tabular.Field(usual)
	}
	return r.ReadVarying(n)
}

// readRole takes the column alone as well.
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

// RoleOf is the role that records call so.
func (d *Description) RoleOf(word string) study.Role {
	if slices.Contains(d.parity, word) {
		return study.Parity
	}
	return study.Data
}

// RoleColumn is that of the role: as described, or the usual one where it is
// there; empty where there is none.
func (d *Description) RoleColumn(names []string) string {
	const usual = "role"
	if d.role == "" && slices.Contains(names, usual) {
		return usual
	}
	return d.role
}

// Directions are those that the data have, or that can be told from them.
func (d *Description) Directions() []study.Direction {
	out := []study.Direction{study.All}
	for _, direction := range []study.Direction{study.Reads, study.Writes} {
		if d.Measures[direction] != nil {
			out = append(out, direction)
		}
	}
	return out
}
