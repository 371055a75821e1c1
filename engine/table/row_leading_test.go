package table

import (
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
)

func TestLeading(t *testing.T) {
	latency := metric.Metric{Name: "latency", Worse: metric.Higher}
	for _, tt := range []struct {
		name    string
		metrics []metric.Metric
		judged  []string
		want    int
	}{
		{"await, whatever is judged", []metric.Metric{metric.TPS, metric.Util, metric.Await}, []string{"%util"}, 2},
		{"the first that is worse when higher", []metric.Metric{metric.TPS, metric.RdSec, latency}, []string{"rd_sec", "latency"}, 2},
		{"else the first", []metric.Metric{metric.TPS, metric.RdSec}, []string{"rd_sec", "tps"}, 1},
		{"nothing that is there", []metric.Metric{metric.TPS, metric.RdSec}, []string{"latency"}, 0},
		{"nothing at all", []metric.Metric{metric.TPS}, nil, 0},
	} {
		s := Schema{Metrics: tt.metrics}
		if got := s.Leading(tt.judged); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
