package segment

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestPackZeros: a page that packZeros wrote decompresses to the page.
func TestPackZeros(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	w, err := NewWriter()
	if err != nil {
		t.Fatal(err)
	}
	r, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range []int{1, 2, 3, 63, 64, 127, 128, 255, 256, 1000, 32 << 10, 65_535, 65_536, 65_537, 300_000} {
		for _, kinds := range []int{1, 3, 256} {
			w.values = make([]byte, 4*values)
			for i := 2 * values; i < 4*values; i++ {
				w.values[i] = byte(rng.IntN(kinds))
			}
			packed := w.packZeros(nil)
			got, err := r.DecodeAll(packed, nil)
			if err != nil || !bytes.Equal(got, w.values) {
				t.Errorf("%d values of %d kinds: %d bytes of %d: %v", values, kinds, len(got), 4*values, err)
			}
			if whole := w.zstd.EncodeAll(w.values, nil); len(packed) > len(whole)+64+values/1000 {
				t.Errorf("%d values of %d kinds take %d bytes, and compressed as a whole %d", values, kinds, len(packed), len(whole))
			}
		}
	}
}

// TestAddSeen compares AddSeen with a call of SeenOf for each code.
func TestAddSeen(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for range 2000 {
		codes := make([]Code, rng.IntN(70))
		got, want := make([]Seen, len(codes)), make([]Seen, len(codes))
		for range 3 {
			oneIn := 1 + rng.IntN(20)
			for i := range codes {
				if codes[i] = []Code{0, 0, Missing, 0x4040}[i/16%4]; rng.IntN(oneIn) == 0 {
					codes[i] = []Code{0, 1, 0x8000, Missing}[rng.IntN(4)]
				}
				want[i] |= SeenOf(codes[i])
			}
			AddSeen(codes, got)
			if !slices.Equal(got, want) {
				t.Fatalf("%v: %v, want %v", codes, got, want)
			}
		}
	}
}
