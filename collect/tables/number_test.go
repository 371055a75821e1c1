package tables

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/limpet-storage/limpet/table"
)

func TestParseValue(t *testing.T) {
	tests := map[string]struct {
		want  float64
		fault fault
	}{
		"0": {0, none}, "68.61": {68.61, none}, "12360327.15": {12360327.15, none}, ".5": {.5, none}, "5.": {5, none},
		" 7 ": {7, none}, "1e3": {1000, none}, "+2": {2, none}, "1234567890123456789": {1234567890123456789, none}, "-0": {0, none},
		"0.1234567890123456789": {0.1234567890123456789, none},
		"":                      {table.Missing, none}, "  ": {table.Missing, none}, "NA": {table.Missing, none}, "na": {table.Missing, none},
		"NaN": {table.Missing, notNumber}, "-nan": {table.Missing, notNumber}, "null": {table.Missing, none}, `\N`: {table.Missing, none}, "N/A": {table.Missing, none},
		"-": {table.Missing, none}, "-1": {table.Missing, negative}, "-1e-9": {table.Missing, negative}, "-Inf": {table.Missing, negative},
		"Inf": {table.Missing, infinite}, "+infinity": {table.Missing, infinite}, "1e999": {table.Missing, infinite},
		"x": {table.Missing, notNumber}, "1.2.3": {table.Missing, notNumber}, ".": {table.Missing, notNumber}, "12,5": {table.Missing, notNumber}, "5 ms": {table.Missing, notNumber},
	}
	for in, tt := range tests {
		got, k := parseValue([]byte(in))
		if k != tt.fault || got != tt.want && !(table.IsMissing(got) && table.IsMissing(tt.want)) {
			t.Errorf("%q is %v with fault %d, want %v with %d", in, got, k, tt.want, tt.fault)
		}
	}
}

// The short cut must round as strconv does.
func TestParseDecimalIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		text := strconv.FormatFloat(rng.Float64()*math.Pow10(rng.IntN(9)), 'f', rng.IntN(10), 64)
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := parseDecimal([]byte(text)); ok && got != want {
			t.Fatalf("%s is %v, want %v", text, got, want)
		}
	}
}

func FuzzParseValue(f *testing.F) {
	for _, seed := range []string{"1", "1.5", "-1", "NA", "1e400", "0x1p-2", "١"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, k := parseValue(in)
		if k != none && !table.IsMissing(v) || v < 0 || math.IsInf(v, 0) {
			t.Errorf("%q is %v with fault %d", in, v, k)
		}
		want, err := strconv.ParseFloat(string(in), 64)
		if err == nil && want >= 0 && !math.IsInf(want, 0) && v != want {
			t.Errorf("%q is %v, want %v", in, v, want)
		}
	})
}

func TestFaultTexts(t *testing.T) {
	seen := make(map[string]bool)
	for k := badQuotes; k < faultCount; k++ {
		for _, n := range []int{1, 2} {
			text := k.text(n, `"x"`, &clock{format: "unix"})
			if seen[text] || text == "" {
				t.Errorf("fault %d says %q, as another does", k, text)
			}
			seen[text] = true
			if want := fmt.Sprintf("%d ", n); text[:2] != want {
				t.Errorf("fault %d says %q, want it to begin with %q", k, text, want)
			}
		}
	}
}
