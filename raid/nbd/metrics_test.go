package nbd

import (
	"strings"
	"testing"
	"time"
)

func TestMetrics(t *testing.T) {
	e, _ := testExport()
	s, err := NewServer(e, DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	for _, took := range []time.Duration{100 * time.Microsecond, 101 * time.Microsecond, time.Second, time.Hour} {
		s.counts.add(request{command: cmdRead, length: 512}, took, nil)
	}
	s.counts.add(request{command: cmdWrite, length: 100}, 0, nil)
	s.counts.add(request{command: cmdFlush}, 0, errDisconnected)
	var b strings.Builder
	if err := s.WriteMetrics(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# TYPE limpet_nbd_request_seconds histogram\n",
		`limpet_nbd_request_seconds_bucket{op="read",le="0.0001"} 1` + "\n",
		`limpet_nbd_request_seconds_bucket{op="read",le="0.0002"} 2` + "\n",
		`limpet_nbd_request_seconds_bucket{op="read",le="0.8192"} 2` + "\n",
		`limpet_nbd_request_seconds_bucket{op="read",le="1.6384"} 3` + "\n",
		`limpet_nbd_request_seconds_bucket{op="read",le="26.2144"} 3` + "\n",
		`limpet_nbd_request_seconds_bucket{op="read",le="+Inf"} 4` + "\n",
		`limpet_nbd_request_seconds_sum{op="read"} 3601.000201` + "\n",
		`limpet_nbd_request_seconds_count{op="write"} 1` + "\n",
		`limpet_nbd_request_seconds_count{op="flush"} 0` + "\n",
		`limpet_nbd_bytes_total{op="read"} 2048` + "\n",
		"limpet_nbd_failed_requests_total 1\n",
		"limpet_nbd_connections 0\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
