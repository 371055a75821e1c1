package tabular

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

var nan = math.NaN()

func TestParseNumber(t *testing.T) {
	tests := map[string]struct {
		want  float64
		fault Fault
	}{
		"0": {0, noFault}, "68.61": {68.61, noFault}, "12360327.15": {12360327.15, noFault}, ".5": {.5, noFault}, "5.": {5, noFault},
		" 7 ": {7, noFault}, "1e3": {1000, noFault}, "+2": {2, noFault}, "1234567890123456789": {1234567890123456789, noFault}, "-0": {0, noFault},
		"0.1234567890123456789": {0.1234567890123456789, noFault},
		"":                      {nan, noFault}, "  ": {nan, noFault}, "NA": {nan, noFault}, "na": {nan, noFault},
		"NaN": {nan, noFault}, "nan": {nan, noFault}, "None": {nan, noFault}, "-nan": {nan, NotNumber}, "null": {nan, noFault}, `\N`: {nan, noFault}, "N/A": {nan, noFault},
		"-": {nan, noFault}, "-1": {nan, Negative}, "-1e-9": {nan, Negative}, "-Inf": {nan, Negative},
		"Inf": {nan, Infinite}, "+infinity": {nan, Infinite}, "1e999": {nan, Infinite},
		"1e308": {nan, Unbelievable}, "1.1e21": {nan, Unbelievable}, "1e21": {1e21, noFault},
		"x": {nan, NotNumber}, "1.2.3": {nan, NotNumber}, ".": {nan, NotNumber}, "12,5": {nan, NotNumber}, "5 ms": {nan, NotNumber},
	}
	for in, tt := range tests {
		got, k := parseNumber([]byte(in), 1, math.Inf(1))
		if k != tt.fault || got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
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

func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"1", "1.5", "-1", "NA", "1e400", "0x1p-2", "١"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		v, k := parseNumber(in, 1, math.Inf(1))
		if k != noFault && !math.IsNaN(v) || v < 0 || math.IsInf(v, 0) {
			t.Errorf("%q is %v with fault %d", in, v, k)
		}
		if plain, fault := parseNumberPlain(in, 1, math.Inf(1)); fault != k || plain != v && !(math.IsNaN(plain) && math.IsNaN(v)) {
			t.Errorf("%q is %v with fault %d, by the standard library %v with %d", in, v, k, plain, fault)
		}
		want, err := strconv.ParseFloat(string(in), 64)
		if err == nil && want >= 0 && want <= mostBelieved && v != want {
			t.Errorf("%q is %v, want %v", in, v, want)
		}
	})
}

// TestMost believes no more than a column may have, after it was multiplied.
func TestMost(t *testing.T) {
	for in, want := range map[string]Fault{"86.4": noFault, "86.5": Unbelievable, "8.64e1": noFault, "8.65e1": Unbelievable, "NA": noFault} {
		if v, fault := parseNumber([]byte(in), 1000, 86_400); fault != want || math.IsNaN(v) != (want != noFault || in == "NA") {
			t.Errorf("%s thousand of at most 86,400 is %v with fault %d, want fault %d", in, v, fault, want)
		}
	}
}

// TestScale multiplies what it reads.
func TestScale(t *testing.T) {
	for in, want := range map[string]float64{"4.31": 4310, "1e3": 1e6, "7": 7000} {
		if v, _ := parseNumber([]byte(in), 1000, math.Inf(1)); v != want {
			t.Errorf("%s ms are %v us", in, v)
		}
	}
}

func TestNumberHint(t *testing.T) {
	for in, want := range map[string]bool{"3,532": true, "104,1": true, "3.5": false, "1,2,3": false, "a,b": false, ",": false, "": false, "x": false} {
		if got := numberHint([]byte(in)); (got != "") != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
