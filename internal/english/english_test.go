package english

import (
	"math"
	"testing"
)

func TestQuantity(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		unit string
		want string
	}{
		{27, "ms", "27 ms"},
		{1170, "ms", "1.17 s"},
		{103_000, "ms", "103 s"},
		{600_000, "ms", "10 min"},
		{0.05, "ms", "50 µs"},
		{0, "ms", "0 ms"},
		{2500, "us", "2.5 ms"},
		{130_000, "sectors/s", "66.6 MB/s"},
		{91e6, "B/s", "91 MB/s"},
		{2.5e9, "B/s", "2.5 GB/s"},
		{5000, "B/s", "5 kB/s"},
		{0.0702, "% of segments", "0.0702 % of segments"},
		{1e-9, "1/s", "less than 0.001/s"},
		{10.1, "1/s", "10.1/s"},
		{12345.6, "", "12346"},
		{math.NaN(), "ms", ""},
	} {
		if got := Quantity(tt.v, tt.unit); got != tt.want {
			t.Errorf("%g %s is %q, want %q", tt.v, tt.unit, got, tt.want)
		}
	}
	for n, want := range map[int64]string{50: "50 s", 720: "12 min", 1350: "22 min 30 s", 7200: "2 h", 7500: "2 h 5 min"} {
		if got := Seconds(n); got != want {
			t.Errorf("%d seconds are %q, want %q", n, got, want)
		}
	}
}

func TestAge(t *testing.T) {
	for seconds, want := range map[int64]string{3661: "1 h 1 min", 47*3600 + 59: "47 h", 2 * 86400: "2 days", 260*86400 + 5: "260 days"} {
		if got := Age(seconds); got != want {
			t.Errorf("%d: %q, want %q", seconds, got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", 100000: "100,000"} {
		if got := Thousands(n); got != want {
			t.Errorf("%d is written %s, want %s", n, got, want)
		}
	}
}

func TestQuantities(t *testing.T) {
	for _, tt := range []struct {
		a, b          float64
		unit          string
		first, second string
	}{
		{0.197, 0.0577, "ms", "197 µs", "57.7 µs"},
		{0.0577, 0.197, "ms", "57.7 µs", "197 µs"},
		{1700, 719, "ms", "1.7 s", "719 ms"},
		{150e3, 30e3, "ms", "150 s", "30 s"},
		{5, 0, "ms", "5 ms", "0 ms"},
		{5, math.NaN(), "ms", "5 ms", ""},
		{math.NaN(), 5, "ms", "", "5 ms"},
		{400, 100, "sectors/s", "205 kB/s", "51.2 kB/s"},
		{3, 1, "% of segments", "3 % of segments", "1 % of segments"},
	} {
		if first, second := Quantities(tt.a, tt.b, tt.unit); first != tt.first || second != tt.second {
			t.Errorf("Quantities(%v, %v, %q) = %q, %q, want %q, %q", tt.a, tt.b, tt.unit, first, second, tt.first, tt.second)
		}
	}
}

// TestSentence shows that a sentence begins with a capital letter, and a name stays as it is.
func TestSentence(t *testing.T) {
	for text, want := range map[string]string{
		"since the problem came back, await was 2 ms": "Since the problem came back, await was 2 ms.",
		"sdb is slow": "sdb is slow.",
		"await: 2 ms": "await: 2 ms.",
		"":            ".",
	} {
		if got := Sentence(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
