package blklat

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestBucketBounds holds the promise of the format: a time lies in its bucket,
// and no bucket from 1 µs to 100 s is wider than 7 %.
func TestBucketBounds(t *testing.T) {
	for b := range Buckets {
		lower := LowerNs(b)
		if Bucket(lower) != b || b > 0 && Bucket(lower-1) != b-1 {
			t.Errorf("bucket %d begins at %d ns, which lies in %d, the ns before in %d", b, lower, Bucket(lower), Bucket(lower-1))
		}
		if lower >= 1000 && lower <= 100e9 {
			if width := float64(LowerNs(b+1)-lower) / float64(lower); width > 0.07 {
				t.Errorf("bucket %d from %d ns is %.1f %% wide", b, lower, 100*width)
			}
		}
	}
	for ns, want := range map[uint64]int{0: 0, 511: 0, 512: 1, 543: 1, 544: 2, 1<<37 - 1: Buckets - 2, 1 << 37: Buckets - 1, math.MaxUint64: Buckets - 1} {
		if got := Bucket(ns); got != want {
			t.Errorf("%d ns lie in bucket %d, want %d", ns, got, want)
		}
	}
}

var example = Sample{
	Run: 300, Sequence: 2, Missed: 1,
	Items: []Item{{
		Major: 8, Minor: 16, Op: Write, Requests: 3, DeviceNs: 200, QueueNs: 5,
		MostInFlight: 4, Bytes: 4096, Errors: 1, Requeues: 2, Sizes: [Sizes]uint64{1, 0, 0, 2},
		Device: Histogram{{Bucket: 0, Requests: 1}, {Bucket: 449, Requests: 2}},
		Queue:  Histogram{{Bucket: 7, Requests: 3}},
	}},
}

const exampleBytes = "01" + "ac02" + "02" + "01" +
	"08" + "10" + "01" + "03" + "c801" + "05" + "04" + "8020" + "01" + "02" + "01000002" +
	"02" + "0001" + "c10302" + "01" + "0703"

func appendSample(s *Sample) []byte {
	b := AppendHead(nil, s.Run, s.Sequence, s.Missed)
	for i := range s.Items {
		b = AppendItem(b, &s.Items[i])
	}
	return b
}

func TestFormat(t *testing.T) {
	if got := hex.EncodeToString(appendSample(&example)); got != exampleBytes {
		t.Errorf("got  %s\nwant %s", got, exampleBytes)
	}
}

// TestThereAndBack reads samples of any number of items into one that was used
// before.
func TestThereAndBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var got Sample
	for range 200 {
		want := Sample{Run: random.Uint64(), Sequence: random.Uint64(), Missed: random.Uint64N(3)}
		for range random.IntN(5) {
			want.Items = append(want.Items, randomItem(random))
		}
		if err := Decode(appendSample(&want), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Items) != len(want.Items) || got.Run != want.Run || got.Sequence != want.Sequence || got.Missed != want.Missed {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		for i := range want.Items {
			if !reflect.DeepEqual(got.Items[i], want.Items[i]) {
				t.Fatalf("item %d: got %+v, want %+v", i, got.Items[i], want.Items[i])
			}
		}
	}
}

func randomItem(random *rand.Rand) Item {
	histogram := func() Histogram {
		h := Histogram{}
		for b := range uint16(Buckets) {
			if random.IntN(50) == 0 {
				h = append(h, Count{Bucket: b, Requests: 1 + random.Uint32N(math.MaxUint32)})
			}
		}
		return h
	}
	return Item{
		Major: random.Uint32(), Minor: random.Uint32(), Op: Op(random.IntN(Ops)),
		Requests: random.Uint64(), DeviceNs: random.Uint64(), QueueNs: random.Uint64(),
		MostInFlight: random.Uint32(), Bytes: random.Uint64(), Errors: random.Uint64(), Requeues: random.Uint64(),
		Sizes:  [Sizes]uint64{random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64()},
		Device: histogram(), Queue: histogram(),
	}
}

// TestRefuses: what no recorder wrote is an error that says so.
func TestRefuses(t *testing.T) {
	good, _ := hex.DecodeString(exampleBytes)
	bad := map[string][]byte{
		"nothing":              nil,
		"another version":      append([]byte{2}, good[1:]...),
		"an operation too far": replaced(good, 7, 4),
		"an empty bucket":      replaced(good, len(good)-1, 0),
		"a bucket too far":     append(good[:len(good)-2:len(good)-2], 0xc2, 0x03, 1),
		"a number too long":    append(good[:len(good)-1:len(good)-1], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1),
	}
	for n := 6; n < len(good); n++ {
		bad["cut after "+string(rune('0'+n%10))+strings.Repeat("+", n/10)] = good[:n]
	}
	for name, b := range bad {
		var s Sample
		if err := Decode(b, &s); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func replaced(b []byte, at int, with byte) []byte {
	b = append([]byte{}, b...)
	b[at] = with
	return b
}

func TestWithoutAllocations(t *testing.T) {
	var s Sample
	var b []byte
	once := func() {
		b = AppendHead(b[:0], 1, 2, 3)
		b = AppendItem(b, &example.Items[0])
		if err := Decode(b, &s); err != nil {
			t.Fatal(err)
		}
	}
	once()
	if n := testing.AllocsPerRun(100, once); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzDecode(f *testing.F) {
	good, _ := hex.DecodeString(exampleBytes)
	f.Add(good)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		var s, again Sample
		if Decode(b, &s) != nil {
			return
		}
		if err := Decode(appendSample(&s), &again); err != nil || !reflect.DeepEqual(s, again) {
			t.Errorf("%+v became %+v: %v", s, again, err)
		}
	})
}

func TestQuantiles(t *testing.T) {
	var h Histogram
	if h.MeanNs() != 0 || h.QuantileNs(0.5) != 0 {
		t.Error("nothing has a mean, or a median")
	}
	h = Histogram{{Bucket: uint16(Bucket(1e6)), Requests: 995}, {Bucket: uint16(Bucket(50e6)), Requests: 5}}
	for q, want := range map[float64]float64{0: 1e6, 0.5: 1e6, 0.995: 1e6, 0.996: 50e6, 0.999: 50e6, 1: 50e6} {
		if got := h.QuantileNs(q); got < want || got > 1.07*want {
			t.Errorf("quantile %g is %g ns, want %g or up to 7 %% more", q, got, want)
		}
	}
	if got := h.MeanNs(); math.Abs(got/1.245e6-1) > 0.035 {
		t.Errorf("the mean is %g ns, want about 1245000", got)
	}
	if got := (Histogram{{Bucket: Buckets - 1, Requests: 1}}).QuantileNs(1); got != 1<<37 {
		t.Errorf("the longest is %g ns", got)
	}
}
