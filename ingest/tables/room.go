package tables

import (
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A roomField is a value about the file system of a component: the size, the free space, or a number
// of inodes. The lines of a table may have such values.
type roomField struct {
	key    string
	field  func(*table.DriveGauges) *float64
	inUnit bool // true if the value is a size, in the unit of sizes; false if it is a number of inodes
}

var roomFields = []roomField{
	{"bytes", func(r *table.DriveGauges) *float64 { return &r.Bytes }, true},
	{"free", func(r *table.DriveGauges) *float64 { return &r.Free }, true},
	{"files", func(r *table.DriveGauges) *float64 { return &r.Files }, false},
	{"free_files", func(r *table.DriveGauges) *float64 { return &r.FreeFiles }, false},
}

// roomUnits are the units of sizes, in the order in which messages list them.
var roomUnits = []struct {
	name  string
	bytes float64
}{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}}

// readRoom reads the key `room`, which names the columns with the space of file systems. A row
// stores this space by server. So a description with the key `room` must also have the key
// `server`.
func (r *descriptionReader) readRoom(n *yaml.Node) {
	if n == nil {
		return
	}
	f := r.Fields(n, "room", "bytes", "free", "files", "free_files", "unit")
	if !r.Required(n, f, "bytes", "free") {
		return
	}
	if !slices.ContainsFunc(r.traits, func(t trait) bool { return t.key == "server" }) {
		r.Errorf(n, "to judge the free space of file systems, limpet must know the server of each component; add the setting \"server\"")
	}
	if (f["files"] == nil) != (f["free_files"] == nil) {
		r.Errorf(n, "the number of inodes needs both \"files\" and \"free_files\"; add the missing setting")
	}
	r.roomUnit = 1
	if f["unit"] != nil {
		name := r.Text(f["unit"])
		at, names := -1, make([]string, len(roomUnits))
		for i, u := range roomUnits {
			if names[i] = u.name; u.name == name {
				at = i
			}
		}
		if at < 0 {
			r.Errorf(f["unit"], "the unit %q is unknown; write one of %s", name, strings.Join(names, ", "))
			return
		}
		r.roomUnit = roomUnits[at].bytes
	}
	for _, field := range roomFields {
		if f[field.key] == nil {
			continue
		}
		column := r.Text(f[field.key])
		if slices.Contains(r.Columns, column) {
			r.Errorf(f[field.key], "the column %q is given for two values; give each value its own column", column)
		}
		r.room, r.Columns, r.Weighted = append(r.room, field), append(r.Columns, column), append(r.Weighted, false)
	}
}

// valueName describes the m-th value of a line, for messages: a metric, or a value of the key
// `room`.
func (d *Description) valueName(m int) string {
	if m < len(d.Metrics) {
		return "metric " + d.Metrics[m].Name
	}
	return "the value \"" + d.room[m-len(d.Metrics)].key + "\" of the setting \"room\""
}

// roomOf returns the space of a component's file system. The parameter `values` has the values of a
// line that come after its metrics. The second result is false if the size or the free bytes are
// missing, or if the size is not above 0.
func (d *Description) roomOf(component int, values []float64) (table.DriveGauges, bool) {
	room := table.DriveGauges{Component: component, Hot: math.NaN()}
	for i, field := range d.room {
		v := values[i]
		switch {
		case table.IsMissing(v) && field.inUnit:
			return room, false
		case table.IsMissing(v):
			room.Files, room.FreeFiles = 0, 0
			return room, room.Bytes > 0
		case field.inUnit:
			v *= d.roomUnit
		}
		*field.field(&room) = v
	}
	return room, room.Bytes > 0
}

// serversOf returns the index of each component's server in System.Servers. The index is -1 if the
// component has no server.
func serversOf(s *topology.System) []int {
	index := map[string]int{}
	for i, name := range s.Servers {
		index[name] = i
	}
	of := make([]int, len(s.Components))
	for c := range of {
		at, ok := index[s.Components[c].Server]
		if of[c] = at; !ok {
			of[c] = -1
		}
	}
	return of
}
