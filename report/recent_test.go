package report

import (
	"slices"
	"strings"
	"testing"
)

// TestCaptionsNameComponentsWhole shows that the caption of a picture has the whole name of the
// component: beside the picture if there is room, and otherwise on the line below.
func TestCaptionsNameComponentsWhole(t *testing.T) {
	bar := strings.Repeat("=", 30) + "  "
	tests := map[string][]string{
		"1.07.4 compared with its peers, last 3 h":            {bar + "  1.07.4 compared with its peers, last 3 h"},
		"s4/loop38 compared with its peers, last 3 h of data": {strings.TrimSpace(bar), "s4/loop38 compared with its peers, last 3 h of data"},
		"o 60001ff00000000041e84ef1165b191f.fs4, = middle 90 % of the peers": {
			strings.TrimSpace(bar),
			"o 60001ff00000000041e84ef1165b191f.fs4, = middle 90 % of the peers",
		},
	}
	for caption, want := range tests {
		if got := captioned(bar, caption); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", caption, got, want)
		}
	}
}

// TestTimeOfPictureWithGaps shows that the caption of a picture counts the data and not the days
// between them.
func TestTimeOfPictureWithGaps(t *testing.T) {
	var s Subject
	s.Options.Detect.WinShift, s.Options.Detect.StepSeconds = 30, 15
	for want, gap := range map[string]int64{"3 h": 0, "3 h of data": 21 * 3600} {
		x := &text{base: base{s: s}, recent: &recentRatios{}}
		for i := range int64(24) {
			x.recent.ends = append(x.recent.ends, 450*i+i/12*gap)
		}
		if got := x.recentTime(); got != want {
			t.Errorf("gap of %d s: %q, want %q", gap, got, want)
		}
	}
}
