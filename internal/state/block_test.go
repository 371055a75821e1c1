package state

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// short is a state of a few hundred bytes.
func short(tb testing.TB) (data []byte, places []Named) {
	m := full()
	m.Row, m.Row32, m.Counts = m.Row[:5], m.Row32[:5], m.Counts[:5]
	places = many(5)
	return encode(tb, m, places), places
}

// TestCutShort: no begin of a state is one, and neither is one with more behind.
func TestCutShort(t *testing.T) {
	data, places := short(t)
	for n := range data {
		if _, err := decode(data[:n], places); err == nil {
			t.Fatalf("%d of %d bytes are a state", n, len(data))
		}
	}
	if _, err := decode(append(data, 0), places); err == nil {
		t.Error("a state with a byte more is one")
	}
}

// TestDamaged: no bit may differ.
func TestDamaged(t *testing.T) {
	data, places := short(t)
	for at := range data {
		for bit := range 8 {
			data[at] ^= 1 << bit
			if _, err := decode(data, places); err == nil {
				t.Fatalf("bit %d of byte %d is not checked", bit, at)
			}
			data[at] ^= 1 << bit
		}
	}
}

// TestRefusals: the error says what is wrong and what to do.
func TestRefusals(t *testing.T) {
	data, places := short(t)
	tests := map[string]struct {
		data []byte
		want string
	}{
		"newer version": {sealed(8, data[headBytes:len(data)-sha256.Size]), "a newer version of limpet has written the saved state (format 8; this version reads format 7)"},
		"older version": {sealed(6, data[headBytes:len(data)-sha256.Size]), "format 6"},
		"no state":      {[]byte("node_load1 0.3"), "not a saved state of limpet"},
		"nothing":       {nil, "not a saved state of limpet"},
		"half":          {data[:len(data)/2], "incomplete: it has"},
		"longer":        {append(bytes.Clone(data), 0), "damaged: it has"},
		"damaged":       {append(bytes.Clone(data[:len(data)-1]), data[len(data)-1]^1), "checksum"},
		"less":          {sealed(7, compressed(nil)), "incomplete for this version of limpet"},
		"more":          {sealed(7, compressed(append(plain(t, data), 0))), "data that this version of limpet does not read"},
	}
	for name, tt := range tests {
		_, err := decode(tt.data, places)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// TestUpTo: a memory that is too large is refused when it is saved, not only when it is
// read; one that is large enough for its owner is neither.
func TestUpTo(t *testing.T) {
	numbers := make([]float64, 1<<17) // of 1 MiB, which compresses well
	memory := func(c *Codec) { c.Floats(unchangedAxis(len(numbers)), numbers) }
	const fits, less = 2 << 20, 1 << 19
	data, err := Form{Version: 7, Most: fits}.Encode(memory)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Form{Version: 7, Most: fits}).Decode(data, memory); err != nil {
		t.Error(err)
	}
	const want = "has more than 524288 bytes"
	if err := (Form{Version: 7, Most: less}).Decode(data, memory); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("read: %v, want %q", err, want)
	}
	if _, err := (Form{Version: 7, Most: less}).Encode(memory); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("saved: %v, want %q", err, want)
	}
}

// TestVersionBefore: a version whose stage saves one number more reads the state of the version
// before, without this number, and no state that is older or newer.
func TestVersionBefore(t *testing.T) {
	memory := func(a, b *int) func(*Codec) {
		return func(c *Codec) {
			Int(c, a)
			if c.IsAfter(7) {
				Int(c, b)
			}
		}
	}
	before, now := Form{Version: 7}, Form{Version: 8, Oldest: 7}
	for _, one := range []struct {
		writes, reads Form
		a, b          int
		want          string
	}{
		{before, now, 3, 0, ""},
		{now, now, 3, 4, ""},
		{now, before, 0, 0, "a newer version of limpet has written the saved state (format 8; this version reads format 7)"},
		{Form{Version: 6}, now, 0, 0, "an older version of limpet has written the saved state (format 6; this version reads format 8)"},
	} {
		a, b := 3, 4
		data, err := one.writes.Encode(memory(&a, &b))
		if err != nil {
			t.Fatal(err)
		}
		a, b = 0, 0
		if err := one.reads.Decode(data, memory(&a, &b)); (err == nil) != (one.want == "") || err != nil && !strings.Contains(err.Error(), one.want) {
			t.Errorf("%+v reads what %+v writes: %v, want %q", one.reads, one.writes, err, one.want)
		}
		if a != one.a || b != one.b {
			t.Errorf("%+v reads %d and %d, want %d and %d", one.reads, a, b, one.a, one.b)
		}
		if err := one.reads.Check(data); (err == nil) != (one.want == "") {
			t.Errorf("%+v checks what %+v writes: %v", one.reads, one.writes, err)
		}
	}
}

// sealed makes a state with a good checksum of any bytes.
func sealed(version uint32, body []byte) []byte {
	data := binary.LittleEndian.AppendUint32([]byte(magic), version)
	data = append(binary.LittleEndian.AppendUint64(data, uint64(len(body))), body...)
	sum := sha256.Sum256(data)
	return append(data, sum[:]...)
}

func compressed(memory []byte) []byte {
	z, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	return z.EncodeAll(memory, nil)
}

func plain(tb testing.TB, data []byte) []byte {
	tb.Helper()
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		tb.Fatal(err)
	}
	defer z.Close()
	memory, err := z.DecodeAll(data[headBytes:len(data)-sha256.Size], nil)
	if err != nil {
		tb.Fatal(err)
	}
	return memory
}

// FuzzDecode gives any bytes as a state: as they are, as its compressed memory,
// and as its memory. None may panic, and what can be read can be saved.
func FuzzDecode(f *testing.F) {
	data, places := short(f)
	f.Add(data)
	f.Add(data[headBytes : len(data)-sha256.Size])
	f.Add(plain(f, data))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, sealed(7, data), sealed(7, compressed(data))} {
			m, err := decode(data, places)
			if err != nil {
				continue
			}
			if again, err := decode(encode(t, m, places), places); err != nil || fmt.Sprint(again) != fmt.Sprint(m) {
				t.Errorf("%+v was read, and after saving it %+v, %v", m, again, err)
			}
		}
	})
}

// TestClaimsTakeNoMemory: a list, a map or a text that claims to be enormous is
// believed as far as it has elements.
func TestClaimsTakeNoMemory(t *testing.T) {
	claim := func(n int) []byte {
		return sealed(1, compressed(binary.AppendVarint(nil, int64(n))))
	}
	tests := map[string]struct {
		data []byte
		read func(*Codec)
	}{
		"list": {claim(1 << 40), func(c *Codec) { var v []int; Ints(c, &v) }},
		"map":  {claim(1 << 40), func(c *Codec) { var v map[string]int; Map(c, &v, Text, Int) }},
		"text": {claim(maxText), func(c *Codec) { var v string; Text(c, &v) }},
		"axis": {claim(1 << 40), func(c *Codec) { c.Axis(nil) }},
	}
	for name, tt := range tests {
		bytes := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Decode(tt.data, 1, tt.read); err == nil {
					b.Fatal("it was read")
				}
			}
		}).AllocedBytesPerOp()
		if bytes > 4<<20 {
			t.Errorf("%s: %d bytes were taken for nothing", name, bytes)
		}
	}
}
