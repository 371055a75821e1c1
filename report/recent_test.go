package report

import (
	"strings"
	"testing"
)

// TestLongNamesKeepTheirEnd shows that a caption is whole beside a long name, and that the name keeps
// the characters in which LUNs of one array differ.
func TestLongNamesKeepTheirEnd(t *testing.T) {
	bar := strings.Repeat("=", 32) + "  "
	tests := map[string]string{
		"1.07.4":                               "1.07.4 compared with its peers, last 3 h",
		"60001ff00000000041e84ef1165b191f.fs4": "<91f.fs4 compared with its peers, last 3 h",
	}
	for name, want := range tests {
		got := captioned(bar, name, " compared with its peers, last 3 h")
		if got != bar+want || len(got) > pictureColumns {
			t.Errorf("%s: %q, want %q after the picture, in at most %d columns", name, got, want, pictureColumns)
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
