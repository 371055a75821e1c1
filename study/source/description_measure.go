package source

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/study"
)

// Factors to the units of a study: requests per hour, microseconds, bytes.
var (
	iOsUnits     = map[string]float64{"count": 1, "1/s": 3600}
	latencyUnits = map[string]float64{"ns": 1e-3, "us": 1, "µs": 1, "ms": 1e3, "s": 1e6}
	sizeUnits    = map[string]float64{"B": 1, "kB": 1e3, "KiB": 1 << 10, "MB": 1e6, "MiB": 1 << 20, "sectors": 512}
)

func (r *descriptionReader) readMeasures(f map[string]*yaml.Node) {
	apart := f["reads"] != nil || f["writes"] != nil
	if !apart || f["latency"] != nil {
		r.Measures[study.All] = r.measure(f, !apart)
	}
	for d, key := range map[study.Direction]string{study.Reads: "reads", study.Writes: "writes"} {
		n := f[key]
		if n == nil {
			continue
		}
		g := r.Fields(n, key, "ios", "latency", "size")
		if r.Required(n, g, "latency") {
			r.Measures[d] = r.measure(g, false)
		}
	}
	if apart && f["latency"] == nil {
		r.checkBoth(f)
	}
}

// checkBoth reports a mistake if all I/O cannot be computed from reads and writes.
func (r *descriptionReader) checkBoth(f map[string]*yaml.Node) {
	for _, key := range []string{"reads", "writes"} {
		if n := f[key]; n == nil || r.directionOf(key) == nil || r.directionOf(key).IOs.Column == "" {
			at := f["reads"]
			if at == nil {
				at = f["writes"]
			}
			r.Errorf(at, "the latency of all I/O cannot be computed, because \"%s\" has no setting \"ios\"; add this setting, or give the setting \"latency\" for all I/O", key)
		}
	}
}

func (r *descriptionReader) directionOf(key string) *Measure {
	if key == "reads" {
		return r.Measures[study.Reads]
	}
	return r.Measures[study.Writes]
}

// measure reads one direction. If usual is true, missing keys get their default columns.
func (r *descriptionReader) measure(f map[string]*yaml.Node, usual bool) *Measure {
	m := &Measure{
		IOs:     r.quantity(f["ios"], "ios", iOsUnits, "count"),
		Latency: r.quantity(f["latency"], "latency", latencyUnits, "us"),
		Size:    r.quantity(f["size"], "size", sizeUnits, "B"),
	}
	if !usual {
		return m
	}
	m.IOs.assume(f["ios"], "ios")
	m.Latency.assume(f["latency"], "latency_us")
	m.Size.assume(f["size"], "size_bytes")
	return m
}

// assume sets the default column if the key is missing.
func (q *Quantity) assume(n *yaml.Node, column string) {
	if n == nil {
		*q = Quantity{Column: column, Scale: 1, Assumed: true}
	}
}

// quantity reads a mapping, or only the name of the column, or "none".
func (r *descriptionReader) quantity(n *yaml.Node, what string, units map[string]float64, usual string) Quantity {
	q := Quantity{Scale: 1}
	var f map[string]*yaml.Node
	q.Column, f = r.ReadColumn(n, what, "unit")
	switch {
	case f == nil && q.Column == "none":
		return Quantity{Scale: 1}
	case f == nil || f["column"] == nil:
		return q
	}
	unit := usual
	if f["unit"] != nil {
		unit = r.Text(f["unit"])
	}
	scale, ok := units[unit]
	if !ok {
		r.Errorf(f["unit"], "unit %q is unknown; write one of %s", unit, strings.Join(slices.Sorted(maps.Keys(units)), ", "))
	}
	q.Scale, q.Rate = scale, unit == "1/s"
	return q
}
