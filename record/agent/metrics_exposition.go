package agent

import (
	"math"
	"net/http"
	"strings"
)

// An exposition is an output format of metrics. Each family is followed by its metrics.
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

// A labelSet holds names and values alternately.
type labelSet []string

// expositionFor returns the format for a request: protobuf, which has native histograms, if its
// Accept header names protobuf, or else text. Prometheus accepts protobuf if native histograms are
// switched on; no other client does.
func expositionFor(r *http.Request) exposition {
	for _, accepted := range strings.Split(r.Header.Get("Accept"), ",") {
		if strings.Contains(accepted, "application/vnd.google.protobuf") && strings.Contains(accepted, "io.prometheus.client.MetricFamily") && strings.Contains(accepted, "delimited") {
			return &protobuf{}
		}
	}
	return &text{}
}

// A family is a metric with one value for each object, such as a device.
type family[T any] struct {
	name, kind, help string
	value            func(*T) float64 // NaN: unknown, and left out
}

// writeFamilies writes the metrics of objects. Each object has its labels.
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
