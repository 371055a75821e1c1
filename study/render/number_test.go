package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/study"
)

func TestValue(t *testing.T) {
	sure := &study.Interval{Low: 0.0012, High: 0.0027}
	tests := []struct {
		value         study.Value
		want, between string
	}{
		{study.Value{Number: 0.0018, Unit: study.Share, Interval: sure}, "0.18 % (0.12 to 0.27 %)", "0.12 to 0.27 %"},
		{study.Value{Number: 12345, Unit: study.Number}, "12,345", dash},
		{study.Value{Number: 1.5, Unit: study.Number}, "1.5", dash},
		{study.Value{None: true, Unit: study.Times}, dash, dash},
	}
	for _, tt := range tests {
		if got := withInterval(tt.value); got != tt.want {
			t.Errorf("%+v is %s, want %s", tt.value, got, tt.want)
		}
		if got := betweenText(tt.value); got != tt.between {
			t.Errorf("%+v is between %s, want %s", tt.value, got, tt.between)
		}
	}
}

// TestWrap: no line is wider than a terminal, words stay as they are, and
// numbers with their units.
func TestWrap(t *testing.T) {
	tests := map[string]struct {
		indent int
		text   string
		want   string
	}{
		"short": {2, "a line", "  a line\n"},
		"none":  {0, "", "\n"},
		"long": {
			4, "0.18 % of the drive hours of disks are slow (2× or more) (0.12 % to 0.27 %); in T16: 0.22 %.",
			"    0.18 % of the drive hours of disks are slow (2× or more) (0.12 % to\n      0.27 %); in T16: 0.22 %.\n",
		},
		"a number and its unit": {
			0, "x" + strings.Repeat(" yyyy", 14) + " zzzzz 12 % and more",
			"x" + strings.Repeat(" yyyy", 14) + " zzzzz\n  12 % and more\n",
		},
		"a word that is too long": {0, "see " + strings.Repeat("x", 90) + " there", "see\n  " + strings.Repeat("x", 90) + "\n  there\n"},
	}
	for name, tt := range tests {
		var b strings.Builder
		if wrap(&b, tt.indent, tt.indent+2, tt.text); b.String() != tt.want {
			t.Errorf("%s:\n%swant\n%s", name, b.String(), tt.want)
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: a line of %d columns", name, n)
			}
		}
	}
}
