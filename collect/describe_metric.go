package collect

import (
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/limpet-storage/limpet/metric"
)

func (r *descriptionReader) readMetrics(n *yaml.Node) {
	pairs := r.pairs(n, "metrics")
	if len(pairs) == 0 {
		r.errorf(n, "no metric is described; add one, such as latency: {unit: us, worse: higher}")
	}
	for _, p := range pairs {
		r.readMetric(p)
	}
	for m := range r.Metrics {
		r.weighted[m] = r.weighted[m] && r.load >= 0 && m != r.load
		r.Metrics[m].PerIO = r.weighted[m]
	}
}

func (r *descriptionReader) readMetric(p yamlPair) {
	f := r.fields(p.value, "metric "+p.key, "column", "unit", "worse", "noise", "load", "mean")
	if !r.required(p.at, f, "worse") {
		return
	}
	column := p.key
	if f["column"] != nil {
		column = r.text(f["column"])
	}
	if slices.Contains(r.columns, column) {
		r.errorf(p.at, "two metrics have the column %q; name another one", column)
	}
	worse, err := metric.ParseDirection(r.text(f["worse"]))
	if err != nil {
		r.errorf(f["worse"], "%v", err)
	}
	if r.choice(f["load"], "false", "true") == "true" {
		r.setLoad(f["load"])
	}
	r.Metrics = append(r.Metrics, metric.Metric{Name: p.key, Unit: r.text(f["unit"]), Worse: worse, Noise: r.noise(f["noise"])})
	r.columns = append(r.columns, column)
	r.weighted = append(r.weighted, r.choice(f["mean"], "load", "time") == "load")
}

func (r *descriptionReader) setLoad(n *yaml.Node) {
	if r.load >= 0 {
		r.errorf(n, "%s is the load already; let one metric be it", r.Metrics[r.load].Name)
		return
	}
	r.load = len(r.Metrics)
}

func (r *descriptionReader) noise(n *yaml.Node) float64 {
	if n == nil {
		return 0
	}
	v, err := strconv.ParseFloat(r.text(n), 64)
	if err != nil || !(v >= 0) || math.IsInf(v, 0) {
		r.errorf(n, "noise %q is no number of at least 0; write one in the metric's unit", n.Value)
		return 0
	}
	return v
}
