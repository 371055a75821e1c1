package agent

import (
	"math"
	"slices"

	"github.com/limpet-storage/limpet/record/blklat"
)

// Latencies are served as classic histograms, whose buckets are octaves of sixteen buckets of the
// recorder. If the format has native histograms, they are served as native histograms, too.
//
//	limpet_disk_request_device_seconds_bucket{device="sda",op="read",le="0.000524288"} 1204
//	limpet_disk_request_device_seconds_bucket{device="sda",op="read",le="+Inf"} 1311
//	limpet_disk_request_device_seconds_sum{device="sda",op="read"} 1.273
//	limpet_disk_request_device_seconds_count{device="sda",op="read"} 1311

// octaveBounds are the upper bounds of the octaves in seconds. The last octave has no upper bound.
var octaveBounds = bounds()

const (
	bucketsInOctave = 16
	nsInSecond      = 1e9
)

func bounds() (list []float64) {
	for b := 1; b < blklat.Buckets; b += bucketsInOctave {
		list = append(list, float64(blklat.LowerNs(b))/nsInSecond)
	}
	return append(list, math.Inf(1))
}

const octaves = 2 + (blklat.Buckets-2)/bucketsInOctave

// A latency holds the requests of one operation of a device since the recorder began.
type latency struct {
	major, minor  uint32
	op            blklat.Op
	device, queue times
	most          uint32 // largest number of requests in flight, in the latest sample
	errors        uint64
	requeues      uint64
}

// times is a histogram of times.
type times struct {
	octaves [octaves]uint64
	native  [nativeBuckets]uint64 // native buckets, without the times shorter than the first bucket
	ns      uint64
}

func (t *times) add(h blklat.Histogram, ns uint64) {
	for _, c := range h {
		n := uint64(c.Requests)
		t.octaves[(int(c.Bucket)+bucketsInOctave-1)/bucketsInOctave] += n
		if c.Bucket > 0 {
			t.native[nativeOf[c.Bucket]] += n
		}
	}
	t.ns = ns
}

func (t *times) seconds() float64 { return float64(t.ns) / nsInSecond }

// latencies holds the requests of all samples, added up.
type latencies struct {
	sample blklat.Sample
	list   []latency
}

// add adds a sample. A sample that cannot be decoded is ignored.
func (l *latencies) add(items []byte) {
	for i := range l.list {
		l.list[i].most = 0
	}
	if len(items) == 0 || blklat.Decode(items, &l.sample) != nil {
		return
	}
	for i := range l.sample.Items {
		item := &l.sample.Items[i]
		to := l.of(item)
		to.device.add(item.Device, item.DeviceNs)
		to.queue.add(item.Queue, item.QueueNs)
		to.most = item.MostInFlight
		to.errors += item.Errors
		to.requeues += item.Requeues
	}
}

func (l *latencies) of(item *blklat.Item) *latency {
	i := slices.IndexFunc(l.list, func(one latency) bool {
		return one.major == item.Major && one.minor == item.Minor && one.op == item.Op
	})
	if i < 0 {
		i = len(l.list)
		l.list = append(l.list, latency{major: item.Major, minor: item.Minor, op: item.Op})
	}
	return &l.list[i]
}

// timeFamilies are the histograms.
var timeFamilies = []struct {
	name, help string
	of         func(*latency) *times
}{
	{"limpet_disk_request_device_seconds", "Time in the device, from issue to completion of each request.", func(l *latency) *times { return &l.device }},
	{"limpet_disk_request_queue_seconds", "Time in the queue, from insertion to issue of each request.", func(l *latency) *times { return &l.queue }},
}

var latencyFamilies = []family[latency]{
	{"limpet_disk_request_errors_total", counter, "Requests that failed.", func(l *latency) float64 { return float64(l.errors) }},
	{"limpet_disk_request_requeues_total", counter, "Requests that were requeued and sent to the device again.", func(l *latency) float64 { return float64(l.requeues) }},
	{"limpet_disk_requests_in_flight_max", gauge, "Largest number of requests that the device had at the same time, since the last sample; absent if the device completed no request.", func(l *latency) float64 {
		if l.most == 0 {
			return math.NaN()
		}
		return float64(l.most)
	}},
}

var missedFamilies = []family[uint64]{
	{"limpet_disk_requests_missed_total", counter, "Requests that were not counted because a table in the kernel was full.", func(n *uint64) float64 { return float64(*n) }},
}

func (e *Exporter) writeLatencies(out exposition, m *moment) {
	if len(m.latencies) == 0 {
		return
	}
	var names []labelSet
	for i := range m.latencies {
		l := &m.latencies[i]
		names = append(names, labelSet{"device", e.deviceName(l.major, l.minor), "op", l.op.String()})
	}
	for _, f := range timeFamilies {
		out.family(f.name, histogram, f.help)
		for i := range m.latencies {
			out.histogram(names[i], f.of(&m.latencies[i]))
		}
	}
	writeFamilies(out, latencyFamilies, m.latencies, names)
	writeFamilies(out, missedFamilies, []uint64{m.missed}, []labelSet{nil})
}
