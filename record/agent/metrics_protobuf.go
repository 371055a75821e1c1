package agent

import (
	"encoding/binary"
	"math"
)

// protobuf is the format with native histograms: one message for each family, preceded by its
// length. The fields are those of io.prometheus.client.
//
//	MetricFamily  1 name, 2 help, 3 type, 4 metric …
//	Metric        1 label …, 2 gauge, 3 counter, 7 histogram
//	LabelPair     1 name, 2 value
//	Gauge         1 value
//	Counter       1 value
//	Histogram     1 count, 2 sum, 3 bucket …, 5 schema, 6 zero threshold, 7 zero count,
//	              12 positive span …, 13 positive delta …
//	Bucket        1 cumulative count, 2 upper bound
//	BucketSpan    1 offset, 2 length
type protobuf struct {
	dst    []byte
	open   message // current family; empty before the first
	metric int     // field for the value of a metric of this family
}

func (*protobuf) contentType() string {
	return "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
}

// kinds holds, for each kind of metric, the number of its type and the field of its value.
var kinds = map[string]struct {
	number uint64
	field  int
}{counter: {0, 3}, gauge: {1, 2}, histogram: {4, 7}}

func (p *protobuf) family(name, kind, help string) {
	p.close()
	p.metric = kinds[kind].field
	p.open.text(1, name)
	p.open.text(2, help)
	p.open.number(3, kinds[kind].number)
}

// close writes the current family.
func (p *protobuf) close() {
	if len(p.open) > 0 {
		p.dst = binary.AppendUvarint(p.dst, uint64(len(p.open)))
		p.dst = append(p.dst, p.open...)
		p.open = p.open[:0]
	}
}

func (p *protobuf) bytes() []byte {
	p.close()
	return p.dst
}

func (p *protobuf) value(of labelSet, v float64) {
	var number message
	number.float(1, v)
	p.add(of, number)
}

// add adds a metric whose value is a message.
func (p *protobuf) add(of labelSet, value message) {
	var metric, pair message
	for i := 0; i+1 < len(of); i += 2 {
		pair = pair[:0]
		pair.text(1, of[i])
		pair.text(2, valid(of[i+1]))
		metric.message(1, pair)
	}
	metric.message(p.metric, value)
	p.open.message(4, metric)
}

// histogram writes a classic histogram of octaves, and a native histogram.
func (p *protobuf) histogram(of labelSet, t *times) {
	var h, bucket message
	sum := uint64(0)
	for i, n := range t.octaves {
		sum += n
		bucket = bucket[:0]
		bucket.number(1, sum)
		bucket.float(2, octaveBounds[i])
		h.message(3, bucket)
	}
	h.number(1, sum)
	h.float(2, t.seconds())
	h.number(5, zigzag(nativeSchema))
	h.float(6, shortest)
	h.number(7, t.octaves[0])
	h.buckets(&t.native)
	p.add(of, h)
}

// buckets writes native buckets: first the spans of neighbouring buckets that are not empty, then
// the count of each bucket as the difference from the previous bucket.
func (m *message) buckets(counts *[nativeBuckets]uint64) {
	var deltas, span message
	last, end := int64(0), -firstNative // end is the index after the last span
	for i := 0; i < nativeBuckets; {
		if counts[i] == 0 {
			i++
			continue
		}
		first := i
		for ; i < nativeBuckets && counts[i] > 0; i++ {
			deltas.number(13, zigzag(int64(counts[i])-last))
			last = int64(counts[i])
		}
		span = span[:0]
		span.number(1, zigzag(int64(first-end)))
		span.number(2, uint64(i-first))
		m.message(12, span)
		end = i
	}
	*m = append(*m, deltas...)
}

// A message holds fields in the encoding of protobuf.
type message []byte

// The encodings of fields.
const (
	asVarint = 0
	asDouble = 1
	asBytes  = 2
)

func (m *message) tag(field, way int) { *m = binary.AppendUvarint(*m, uint64(field<<3|way)) }

func (m *message) number(field int, n uint64) {
	m.tag(field, asVarint)
	*m = binary.AppendUvarint(*m, n)
}

func (m *message) float(field int, v float64) {
	m.tag(field, asDouble)
	*m = binary.LittleEndian.AppendUint64(*m, math.Float64bits(v))
}

func (m *message) text(field int, s string) {
	m.tag(field, asBytes)
	*m = binary.AppendUvarint(*m, uint64(len(s)))
	*m = append(*m, s...)
}

func (m *message) message(field int, inner message) { m.text(field, string(inner)) }

// zigzag returns a signed number in the encoding of protobuf's sint.
func zigzag(n int64) uint64 { return uint64(n<<1) ^ uint64(n>>63) }
