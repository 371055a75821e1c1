package store

import (
	"encoding/binary"
	"math"
	mathbits "math/bits"
	"math/rand/v2"
	"testing"

	"github.com/limpet-storage/limpet/ingest/exporter"
)

// writer writes chunks bit by bit: the twin of the decoder.
type writer struct {
	data []byte
	n    int
}

func (w *writer) bits(v uint64, n int) {
	for i := n - 1; i >= 0; i-- {
		if w.n%8 == 0 {
			w.data = append(w.data, 0)
		}
		if v>>i&1 == 1 {
			w.data[w.n/8] |= 1 << (7 - w.n%8)
		}
		w.n++
	}
}

func (w *writer) bytes(b []byte) {
	for _, c := range b {
		w.bits(uint64(c), 8)
	}
}

func encode(samples []exporter.Sample) []byte {
	w := &writer{}
	w.bits(uint64(len(samples)), 16)
	var step int64
	leading, trailing := -1, 0
	for i, x := range samples {
		if i == 0 {
			w.bytes(binary.AppendVarint(nil, x.Time))
			w.bits(math.Float64bits(x.Value), 64)
			continue
		}
		d := x.Time - samples[i-1].Time
		if i == 1 {
			w.bytes(binary.AppendUvarint(nil, uint64(d)))
		} else {
			w.change(d - step)
		}
		step = d
		diff := math.Float64bits(x.Value) ^ math.Float64bits(samples[i-1].Value)
		if diff == 0 {
			w.bits(0, 1)
			continue
		}
		w.bits(1, 1)
		l, r := min(mathbits.LeadingZeros64(diff), 31), mathbits.TrailingZeros64(diff)
		if leading >= 0 && l >= leading && r >= trailing {
			w.bits(0, 1)
			w.bits(diff>>trailing, 64-leading-trailing)
			continue
		}
		leading, trailing = l, r
		w.bits(1, 1)
		w.bits(uint64(l), 5)
		w.bits(uint64(64-l-r)&63, 6)
		w.bits(diff>>r, 64-l-r)
	}
	return w.data
}

func (w *writer) change(d int64) {
	fits := func(n int) bool { return -(1<<(n-1))+1 <= d && d <= 1<<(n-1) }
	switch {
	case d == 0:
		w.bits(0, 1)
	case fits(14):
		w.bits(0b10, 2)
		w.bits(uint64(d), 14)
	case fits(17):
		w.bits(0b110, 3)
		w.bits(uint64(d), 17)
	case fits(20):
		w.bits(0b1110, 4)
		w.bits(uint64(d), 20)
	default:
		w.bits(0b1111, 4)
		w.bits(uint64(d), 64)
	}
}

// drawn are samples with all that can happen to them.
func drawn(seed uint64) []exporter.Sample {
	random := rand.New(rand.NewPCG(seed, 3))
	var list []exporter.Sample
	at, v := int64(random.IntN(1<<40))-1<<39, 0.0
	for range random.IntN(300) {
		at += []int64{15000, 15000, 15001, int64(random.IntN(1 << 14)), int64(random.IntN(1 << 21)), int64(random.IntN(1 << 40))}[random.IntN(6)]
		switch random.IntN(5) {
		case 0:
		case 1:
			v = random.NormFloat64()
		case 2:
			v = math.Float64frombits(random.Uint64())
		case 3:
			v = math.Float64frombits(0x7ff0000000000002)
		default:
			v += float64(random.IntN(1000))
		}
		list = append(list, exporter.Sample{Time: at, Value: v})
	}
	return list
}

// TestXorTwin: what is read is what was written, bit for bit; a chunk that was cut is
// refused, or has fewer bits than its last byte.
func TestXorTwin(t *testing.T) {
	for seed := range uint64(300) {
		want := drawn(seed)
		chunk := encode(want)
		got, err := appendChunk(nil, chunk)
		if err != nil || len(got) != len(want) {
			t.Fatalf("seed %d: %d samples, not %d: %v", seed, len(got), len(want), err)
		}
		for i := range want {
			if got[i].Time != want[i].Time || math.Float64bits(got[i].Value) != math.Float64bits(want[i].Value) {
				t.Fatalf("seed %d: sample %d is %v, not %v", seed, i, got[i], want[i])
			}
		}
		if len(want) > 1 {
			if _, err := appendChunk(nil, chunk[:len(chunk)/2]); err == nil {
				t.Errorf("seed %d: half a chunk was taken", seed)
			}
		}
	}
}

func FuzzAppend(f *testing.F) {
	f.Add(encode(drawn(1)))
	f.Fuzz(func(t *testing.T, chunk []byte) {
		if got, err := appendChunk(nil, chunk); err == nil && len(got) > 1<<16 {
			t.Error(len(got))
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	var list []exporter.Sample
	for i := range 120 {
		list = append(list, exporter.Sample{Time: 1_700_000_000_000 + int64(i)*15000, Value: float64(i*i) * 37})
	}
	chunk := encode(list)
	var dst []exporter.Sample
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = appendChunk(dst[:0], chunk)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/120, "ns/sample")
}
