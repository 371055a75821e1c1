package unpack

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packed compresses n bytes of a text that repeats.
func packed(t *testing.T, kind Kind, n int64, options ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if kind == Zstd {
		z, err := zstd.NewWriter(&b, options...)
		if err != nil {
			t.Fatal(err)
		}
		w = z
	}
	text := bytes.Repeat([]byte("1600000000,d0,10,100\n"), 50_000)
	for ; n > 0; n -= int64(len(text)) {
		if _, err := w.Write(text[:min(n, int64(len(text)))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func unpacked(t *testing.T, data []byte, window int64) (int64, error) {
	t.Helper()
	r, err := NewReader(KindOf(data), bytes.NewReader(data), window)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	return io.Copy(io.Discard, r)
}

// TestRatio: what is small and becomes large is refused early, and what is
// small stays readable whatever its ratio.
func TestRatio(t *testing.T) {
	if n, err := unpacked(t, packed(t, Zstd, FreeBytes/2), 0); err != nil || n != FreeBytes/2 {
		t.Errorf("%d bytes, %v", n, err)
	}
	if n, err := unpacked(t, packed(t, Zstd, 4*FreeBytes), 0); !errors.Is(err, ErrRatio) || n > 2*FreeBytes {
		t.Errorf("of a bomb %d bytes, %v", n, err)
	}
	if n, err := unpacked(t, packed(t, Gzip, FreeBytes+FreeBytes/8), 0); err != nil || n != FreeBytes+FreeBytes/8 {
		t.Errorf("of gzip %d bytes, %v", n, err)
	}
}

// TestWindow: a file that asks for more memory than it may is refused in our
// own words, whether the window stands in zstd's header or in xz's.
func TestWindow(t *testing.T) {
	const text = "to unpack the file, more than 8 MB of memory are needed; compress the file again without --long or --ultra"
	large := packed(t, Zstd, 20<<20, zstd.WithWindowSize(16<<20))
	if _, err := unpacked(t, large, 0); err != nil {
		t.Error(err)
	}
	huge, err := hex.DecodeString("28b52ffd00b0" + "010000") // 2^32 bytes
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"large": large, "huge": huge} {
		if _, err := unpacked(t, data, LeastWindow); err == nil || err.Error() != text {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzReader: whatever comes in, reading ends, and the size of what comes out
// is bounded by that of what came in.
func FuzzReader(f *testing.F) {
	f.Add([]byte("time,drive\n"))
	f.Add([]byte("BZh91AY&SY"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if n, _ := unpacked(t, data, LeastWindow); n > FreeBytes+MaxRatio*int64(len(data))+1<<20 {
			t.Errorf("%d bytes of %d", n, len(data))
		}
	})
}
