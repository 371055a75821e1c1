package picture

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "write the golden file anew")

// TestPictures draws pictures in both styles and compares them with testdata/pictures.txt.
func TestPictures(t *testing.T) {
	nan := math.NaN()
	peers := Quantiles{0.8, 1, 1.2}
	var out strings.Builder
	for _, s := range []Style{{Unicode: true}, {}} {
		for _, p := range []struct{ name, line string }{
			{"one slow", Peers(s, peers, []float64{3.62})},
			{"three slow", Peers(s, peers, []float64{2, 2.33, 5.5})},
			{"one fast", Peers(s, peers, []float64{0.2})},
			{"within the band", Peers(s, peers, []float64{1.1})},
			{"none", Peers(s, peers, nil)},
			{"no peers", Peers(s, Quantiles{}, []float64{2})},
			{"all equal", Peers(s, Quantiles{1, 1, 1}, []float64{1})},
			{"a ratio", Ratio(s, 3.62, 3.27, 4.01)},
			{"a ratio without bounds", Ratio(s, 3.62, 0, 0)},
			{"an endless ratio", Ratio(s, 30, 30, math.Inf(1))},
			{"no ratio", Ratio(s, 0.9, 0.8, 1)},
			{"a course", Spark(s, []float64{0.9, 1, 1.1, nan, 2, 3.5, 3.6, 3.4})},
			{"a flat course", Spark(s, []float64{1, 1, nan})},
		} {
			fmt.Fprintf(&out, "%-22s |%s|\n", p.name, p.line)
			if n := utf8.RuneCountInString(p.line); n > Width {
				t.Errorf("%s has %d columns", p.name, n)
			}
			if !s.Unicode && strings.ContainsFunc(p.line, func(r rune) bool { return r > '~' }) {
				t.Errorf("%s is no ASCII: %s", p.name, p.line)
			}
		}
	}
	const file = "testdata/pictures.txt"
	if *update {
		if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != out.String() {
		t.Errorf("%v; look at it with -update and git diff\n%s", err, out.String())
	}
}

// TestStyle: block characters need a terminal with a UTF-8 locale.
func TestStyle(t *testing.T) {
	for _, tt := range []struct {
		terminal bool
		env      map[string]string
		want     bool
	}{
		{true, map[string]string{"LANG": "en_US.UTF-8"}, true},
		{true, map[string]string{"LANG": "C.utf8"}, true},
		{false, map[string]string{"LANG": "en_US.UTF-8"}, false},
		{true, map[string]string{"LANG": "C"}, false},
		{true, nil, false},
		{true, map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "C"}, false},
		{true, map[string]string{"LANG": "C", "LC_CTYPE": "de_DE.UTF-8"}, true},
		{true, map[string]string{"LANG": "en_US.UTF-8", "TERM": "dumb"}, false},
		{true, map[string]string{"LANG": "en_US.UTF-8", "NO_COLOR": "1"}, false},
	} {
		if got := StyleFor(tt.terminal, func(name string) string { return tt.env[name] }); got.Unicode != tt.want {
			t.Errorf("terminal %t, %v: %t", tt.terminal, tt.env, got.Unicode)
		}
	}
}

// TestQuantiles: nine in ten of the values lie between the bounds; what cannot be drawn is left out.
func TestQuantiles(t *testing.T) {
	var values []float64
	for i := range 101 {
		values = append(values, float64(i+1))
	}
	if q, ok := QuantilesOf(values); !ok || q != (Quantiles{6, 51, 96}) {
		t.Errorf("%+v, %t", q, ok)
	}
	if _, ok := QuantilesOf([]float64{1, 2, math.NaN(), 0, math.Inf(1)}); ok {
		t.Error("two values have quantiles")
	}
}
