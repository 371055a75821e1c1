package agent

import (
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/record/sysstat"
)

func latencySample(sequence, requests uint64, bucket int) *sysstat.Sample {
	raw := blklat.AppendHead(nil, 1, sequence, 3)
	raw = blklat.AppendItem(raw, &blklat.Item{
		Major: 253, Op: blklat.Read, Requests: requests, DeviceNs: requests * 2e6, QueueNs: 5e9, MostInFlight: uint32(sequence), Errors: 1,
		Device: blklat.Histogram{{Bucket: uint16(bucket), Requests: 10}}, Queue: blklat.Histogram{{Bucket: 0, Requests: 10}},
	})
	return &sysstat.Sample{Custom: [][]byte{raw}}
}

// TestLatencies: histograms add up from sample to sample, and each bucket has
// all that are shorter.
func TestLatencies(t *testing.T) {
	e := NewExporter("fs1")
	e.Name, e.Custom = names, []sysstat.CustomActivity{{ID: blklat.ID, Size: blklat.Size}}
	e.Hear(time.Unix(1, 0), 1, latencySample(1, 10, blklat.Bucket(1e6)))
	e.Hear(time.Unix(2, 0), 2, latencySample(2, 20, blklat.Bucket(5e6)))
	text := get(e, "/metrics").Body.String()
	for _, want := range []string{
		"# TYPE limpet_disk_request_device_seconds histogram\n",
		`limpet_disk_request_device_seconds_bucket{device="dm-3",op="read",le="0.000524288"} 0` + "\n",
		`limpet_disk_request_device_seconds_bucket{device="dm-3",op="read",le="0.001048576"} 10` + "\n",
		`limpet_disk_request_device_seconds_bucket{device="dm-3",op="read",le="0.008388608"} 20` + "\n",
		`limpet_disk_request_device_seconds_bucket{device="dm-3",op="read",le="+Inf"} 20` + "\n",
		`limpet_disk_request_device_seconds_sum{device="dm-3",op="read"} 0.04` + "\n",
		`limpet_disk_request_device_seconds_count{device="dm-3",op="read"} 20` + "\n",
		`limpet_disk_request_queue_seconds_bucket{device="dm-3",op="read",le="5.12e-07"} 20` + "\n",
		`limpet_disk_request_errors_total{device="dm-3",op="read"} 2` + "\n",
		`limpet_disk_requests_in_flight_max{device="dm-3",op="read"} 2` + "\n",
		"limpet_disk_requests_missed_total 3\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
