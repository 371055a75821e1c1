package agent

import (
	"math"
	"net/http"
	"strings"
)

// An exposition is a form of what is told. Each family is followed by its metrics.
type exposition interface {
	contentType() string
	family(name, kind, help string)
	value(of labelSet, v float64)
	histogram(of labelSet, t *times)
	bytes() []byte
}

const (
	counter   = "counter"
	gauge     = "gauge"
	histogram = "histogram"
)

// A labelSet is names and values in turn.
type labelSet []string

// expositionFor returns the form for a request: protobuf, which has native histograms,
// where its Accept header names it, or else text. Prometheus names protobuf first where
// native histograms are switched on; no other client does.
func expositionFor(r *http.Request) exposition {
	for _, accepted := range strings.Split(r.Header.Get("Accept"), ",") {
		if strings.Contains(accepted, "application/vnd.google.protobuf") && strings.Contains(accepted, "io.prometheus.client.MetricFamily") && strings.Contains(accepted, "delimited") {
			return &protobuf{}
		}
	}
	return &text{}
}

// A family is a metric that each of several things has.
type family[T any] struct {
	name, kind, help string
	value            func(*T) float64 // NaN: not known, and left out
}

// writeFamilies writes the metrics of things, of which each has its labels.
func writeFamilies[T any](out exposition, families []family[T], things []T, labels []labelSet) {
	if len(things) == 0 {
		return
	}
	for _, f := range families {
		out.family(f.name, f.kind, f.help)
		for i := range things {
			if v := f.value(&things[i]); !math.IsNaN(v) {
				out.value(labels[i], v)
			}
		}
	}
}
