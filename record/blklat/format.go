package blklat

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The activity has items of one byte, which together are a sample. Numbers are
// unsigned varints, seven bits to a byte, the lowest first.
//
//	version      1
//	run, sequence, missed
//	then for each item, until the bytes end
//	  major, minor, operation
//	  requests, ns in devices, ns in queues      since the run began
//	  most in flight, bytes, errors, requeues    since the previous sample
//	  requests of each of four sizes
//	  the histogram of devices and the histogram of queues, each as
//	    the number of buckets that are not empty, then for each of them
//	    the distance to the previous such bucket, and its requests
//
// A sample without bytes means that latencies were not measured. Later versions get another ID.
const (
	// ID is the number of the activity, the letters blk. It is far above the numbers of sysstat,
	// and easy to find in a hex dump.
	ID = 0x626c6b
	// Size is the size of an item of the activity.
	Size = 1

	version = 1
)

// AppendHead appends the numbers before the items.
func AppendHead(dst []byte, run, sequence, missed uint64) []byte {
	return appendNumbers(dst, version, run, sequence, missed)
}

// AppendItem appends an item.
func AppendItem(dst []byte, i *Item) []byte {
	dst = appendNumbers(dst, uint64(i.Major), uint64(i.Minor), uint64(i.Op), i.Requests, i.DeviceNs, i.QueueNs)
	dst = appendNumbers(dst, uint64(i.MostInFlight), i.Bytes, i.Errors, i.Requeues)
	dst = appendNumbers(dst, i.Sizes[:]...)
	dst = AppendHistogram(dst, i.Device)
	return AppendHistogram(dst, i.Queue)
}

func appendNumbers(dst []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		dst = binary.AppendUvarint(dst, n)
	}
	return dst
}

// AppendHistogram appends a histogram without its item.
func AppendHistogram(dst []byte, h Histogram) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(h)))
	last := uint16(0)
	for _, c := range h {
		dst = binary.AppendUvarint(dst, uint64(c.Bucket-last))
		dst = binary.AppendUvarint(dst, uint64(c.Requests))
		last = c.Bucket
	}
	return dst
}

// TakeHistogram reads a histogram into the memory of h, and returns the bytes that follow it. ok is
// false if there is no valid histogram.
func TakeHistogram(b []byte, h Histogram) (_ Histogram, rest []byte, ok bool) {
	d := decoder{rest: b}
	h = d.histogram(h[:0])
	return h, d.rest, !d.failed
}

// errDamaged is the last part of every error of Decode.
var errDamaged = errors.New("the file is damaged, or another program uses the same activity number 0x626c6b")

// Decode reads a sample into the memory of s. If it returns an error, s must not be used.
func Decode(sample []byte, s *Sample) error {
	d := decoder{rest: sample}
	if v := d.number(); v != version && !d.failed {
		return fmt.Errorf("a sample of latencies has version %d, and this version of limpet reads version %d: %w", v, version, errDamaged)
	}
	s.Run, s.Sequence, s.Missed = d.number(), d.number(), d.number()
	n := 0
	for ; len(d.rest) > 0 && !d.failed; n++ {
		if n == cap(s.Items) {
			s.Items = append(s.Items[:n], Item{})
		}
		s.Items = s.Items[:max(n+1, len(s.Items))]
		d.item(&s.Items[n])
	}
	s.Items = s.Items[:n]
	if d.failed {
		return fmt.Errorf("a sample of latencies (%d bytes) is incomplete, or one of its numbers is impossible (%d bytes before its end): %w",
			len(sample), len(d.rest), errDamaged)
	}
	return nil
}

// A decoder reads numbers from the beginning of rest.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 || d.failed {
		d.failed = true
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// below reads a number that must be less than a bound.
func (d *decoder) below(bound uint64) uint64 {
	n := d.number()
	if n >= bound {
		d.failed = true
		return 0
	}
	return n
}

const uint32s = 1 << 32

func (d *decoder) item(i *Item) {
	i.Major, i.Minor, i.Op = uint32(d.below(uint32s)), uint32(d.below(uint32s)), Op(d.below(Ops))
	i.Requests, i.DeviceNs, i.QueueNs = d.number(), d.number(), d.number()
	i.MostInFlight = uint32(d.below(uint32s))
	i.Bytes, i.Errors, i.Requeues = d.number(), d.number(), d.number()
	for class := range i.Sizes {
		i.Sizes[class] = d.number()
	}
	i.Device = d.histogram(i.Device[:0])
	i.Queue = d.histogram(i.Queue[:0])
}

func (d *decoder) histogram(h Histogram) Histogram {
	bucket := uint64(0)
	for range d.below(Buckets + 1) {
		gap := d.below(Buckets)
		bucket += gap
		requests := d.below(uint32s)
		if d.failed || bucket >= Buckets || requests == 0 || gap == 0 && len(h) > 0 {
			d.failed = true
			return h
		}
		h = append(h, Count{Bucket: uint16(bucket), Requests: uint32(requests)})
	}
	return h
}
