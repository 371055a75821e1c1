package page

import (
	"bytes"
	"testing"
)

func TestLevels(t *testing.T) {
	r := newRaster()
	copy(r.cells, []uint16{0, 1, 10, 100})
	levels, densest := r.levels()
	if got, want := levels[:4], []byte{0, 1, 128, 255}; !bytes.Equal(got, want) || densest != 100 {
		t.Errorf("levels %v of at most %d, want %v of 100", got, densest, want)
	}
}

// unpackZeros is what raster.js makes of squeezed levels.
func unpackZeros(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data); i++ {
		if data[i] != 0 {
			out = append(out, data[i])
			continue
		}
		i++
		out = append(out, make([]byte, data[i])...)
	}
	return out
}

func TestSqueeze(t *testing.T) {
	for _, levels := range [][]byte{
		nil, {1}, {0}, {0, 0, 5, 0}, make([]byte, 255), make([]byte, 256), append(make([]byte, 600), 7),
	} {
		if got := unpackZeros(packZeros(levels)); !bytes.Equal(got, levels) {
			t.Errorf("%v comes back as %v", levels, got)
		}
	}
	if got := len(packZeros(make([]byte, 2550))); got != 20 {
		t.Errorf("2550 zeros take %d bytes, want 20", got)
	}
}
