package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/yamlfile"
)

func (r *descriptionReader) readMetrics(n *yaml.Node) {
	pairs := r.Pairs(n, "metrics")
	if len(pairs) == 0 {
		r.Errorf(n, "the description file has no metric; add a metric, such as latency: {unit: us, worse: higher}")
	}
	for _, p := range pairs {
		r.readMetric(p)
	}
	for m := range r.Metrics {
		r.Weighted[m] = r.Weighted[m] && r.Load >= 0 && m != r.Load
		r.Metrics[m].PerIO = r.Weighted[m]
	}
}

func (r *descriptionReader) readMetric(p yamlfile.Pair) {
	f := r.Fields(p.Value, "metric "+p.Key, "column", "unit", "worse", "noise", "load", "mean")
	if !r.Required(p.At, f, "worse") {
		return
	}
	column := p.Key
	if f["column"] != nil {
		column = r.Text(f["column"])
	}
	if slices.Contains(r.Columns, column) {
		r.Errorf(p.At, "the column %q is given for two metrics; give each metric its own column", column)
	}
	worse, err := metric.ParseDirection(r.Text(f["worse"]))
	if err != nil {
		r.Errorf(f["worse"], "%v", err)
	}
	if r.Choice(f["load"], "false", "true") == "true" {
		r.setLoad(f["load"])
	}
	r.Metrics = append(r.Metrics, metric.Metric{Name: p.Key, Unit: r.Text(f["unit"]), Worse: worse, Noise: r.noise(f["noise"])})
	r.Columns = append(r.Columns, column)
	r.Weighted = append(r.Weighted, r.Choice(f["mean"], "load", "time") == "load")
}

func (r *descriptionReader) setLoad(n *yaml.Node) {
	if r.Load >= 0 {
		r.Errorf(n, "metric %s already has \"load: true\"; write \"load: true\" for one metric only", r.Metrics[r.Load].Name)
		return
	}
	r.Load = len(r.Metrics)
}

func (r *descriptionReader) noise(n *yaml.Node) float64 {
	if n == nil {
		return 0
	}
	v, err := strconv.ParseFloat(r.Text(n), 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		r.Errorf(n, "the value %q of the setting \"noise\" is not a number that is 0 or more; write a number in the metric's unit", n.Value)
		return 0
	}
	return v
}

// warnOnlyLoads returns a warning if the description has no metric of which a larger or a smaller value is
// worse, such as a latency. All its metrics are then loads.
func (d *Description) warnOnlyLoads() []ingest.Warning {
	if slices.ContainsFunc(d.Metrics, func(m metric.Metric) bool { return m.Worse != metric.Either }) {
		return nil
	}
	var names []string
	for _, m := range d.Metrics {
		names = append(names, m.Name)
	}
	return []ingest.Warning{{Text: fmt.Sprintf("the description file has no latency. limpet compares only %s, so it cannot see that requests take longer; if the table has a latency, add it to the setting \"metrics\", such as await: {unit: ms, worse: higher}", english.List(names))}}
}
