package bounded

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// fresh makes a value of each kind.
func fresh() map[string]Value {
	return map[string]Value{
		"int":      Int(new(int), 1, 10000, "steps"),
		"int64":    Int64(new(int64), 0, 86400, "seconds"),
		"seed":     Seed(new(uint64)),
		"float":    Float(new(float64), 0.001, 1e6, "a second"),
		"duration": Duration(new(time.Duration), time.Millisecond, time.Hour),
		"bytes":    Bytes(new(int64), 1<<20, 1<<50),
		"ints":     Ints(new([]int), 1, 1000, ""),
		"floats":   Floats(new([]float64), 1, 1000, "times"),
	}
}

func TestTaken(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"int", "1", "1"},
		{"int", "10000", "10000"},
		{"int64", "0", "0"},
		{"seed", "18446744073709551615", "18446744073709551615"},
		{"float", "1e6", "1000000"},
		{"float", "0.001", "0.001"},
		{"duration", "1", "1s"},
		{"duration", "0.25", "250ms"},
		{"duration", "90", "1m30s"},
		{"duration", "1h", "1h"},
		{"duration", "5m", "5m"},
		{"duration", "10s", "10s"},
		{"bytes", "1M", "1M"},
		{"bytes", "1536K", "1536K"},
		{"bytes", "1024T", "1024T"},
		{"ints", "1, 8,100", "1,8,100"},
		{"floats", "1.5,2", "1.5,2"},
	} {
		v := fresh()[c.kind]
		if err := v.Set(c.text); err != nil || v.String() != c.want || v.Refusal() != nil {
			t.Errorf("%s %q: %s, error %v, want %s", c.kind, c.text, v, err, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"int", "2147483648", "must be between 1 and 10000 steps, not 2147483648"},
		{"int", "0", "must be between 1 and 10000 steps, not 0"},
		{"int", "-99999999999999999999", "must be between 1 and 10000 steps, not -99999999999999999999"},
		{"int", "1.5", `must be a whole number between 1 and 10000 steps, not "1.5"`},
		{"int", "", `must be a whole number between 1 and 10000 steps, not ""`},
		{"int64", "x", `must be a whole number between 0 and 86400 seconds, not "x"`},
		{"seed", "-1", "must be between 0 and 18446744073709551615, not -1"},
		{"float", "1e309", "must be between 0.001 and 1000000 a second, not 1e309"},
		{"float", "NaN", `must be a number between 0.001 and 1000000 a second, not "NaN"`},
		{"float", "Inf", `must be a number between`},
		{"float", "0x10", `must be a number between`},
		{"duration", "2h", "must be between 1ms and 1h, not 2h"},
		{"duration", "1e300", "must be between 1ms and 1h, not 1e300"},
		{"duration", "-1", "must be between 1ms and 1h, not -1"},
		{"duration", "soon", `must be a time between 1ms and 1h (such as 30s or 5m), not "soon"`},
		{"bytes", "9000T", "must be between 1M and 1024T, not 9000T"},
		{"bytes", "99999999T", "must be between 1M and 1024T, not 99999999T"},
		{"bytes", "20GB", `must be a number of bytes between 1M and 1024T (such as 64M, 20G or 1T), not "20GB"`},
		{"bytes", "G", `must be a number of bytes between`},
		{"ints", "1,0", "must be between 1 and 1000, not 0"},
		{"floats", "2,,3", `must be a number between 1 and 1000 times, not ""`},
	} {
		v := fresh()[c.kind]
		before := v.String()
		err := v.Set(c.text)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || v.Refusal() != err {
			t.Errorf("%s %q: %v, want %s", c.kind, c.text, err, c.want)
		}
		if v.String() != before {
			t.Errorf("%s %q: it is %s now", c.kind, c.text, v)
		}
	}
}

// TestListReplacesDefault: what is given takes the place of the default once.
func TestListReplacesDefault(t *testing.T) {
	all := []int{7}
	v := Ints(&all, 1, 1000, "")
	for _, text := range []string{"1,2", "3"} {
		if err := v.Set(text); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(all, []int{1, 2, 3}) {
		t.Errorf("got %v", all)
	}
}

// FuzzSet checks that what was taken is within bounds, and is written so that
// the same is read.
func FuzzSet(f *testing.F) {
	for _, text := range []string{"1", "1e308", "-0", "5e-324", "NaN", "1h", "20G", "9223372036854775807", "8388608T", "1,2", "99999999999h"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var d time.Duration
		if v := Duration(&d, 0, math.MaxInt64); v.Set(text) == nil && d < 0 {
			t.Errorf("%q is %v", text, d)
		}
		again := fresh()
		for kind, v := range fresh() {
			if v.Set(text) != nil {
				continue
			}
			if err := again[kind].Set(v.String()); err != nil || again[kind].String() != v.String() {
				t.Errorf("%s %q is %s, and that is %s, error %v", kind, text, v, again[kind], err)
			}
		}
	})
}

// TestReadFile: what never ends is refused as soon as it is too long.
func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, make([]byte, 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	if data, err := ReadFile(path, 1<<20, "a model"); err != nil || len(data) != 1<<20 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	for _, name := range []string{path, "/dev/zero"} {
		want := name + ": the file is too large: a model can have at most 4 KiB; name another file"
		if _, err := ReadFile(name, 4<<10, "a model"); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := ReadFile(path+"2", 1, "a model"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
