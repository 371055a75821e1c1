package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/study"
)

// TestShares: a share that T16 has too is a bar; in a pipe it is ASCII. The share of this fleet lies to
// the right of that of T16 if it is larger.
func TestShares(t *testing.T) {
	r := some()
	r.Parts[0].Figures[0].Interval = &study.Interval{Low: 0.002, High: 0.03}
	draw := func(style picture.Style) string {
		var b bytes.Buffer
		r.Pictures = style
		if err := Text(&b, r); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	line := func(text, label string) string {
		for l := range strings.Lines(text) {
			if strings.HasSuffix(strings.TrimSpace(l), label) {
				return l
			}
		}
		t.Fatalf("no bar of %q:\n%s", label, text)
		return ""
	}
	plain := line(draw(picture.Style{}), "slow drive hours at 1.5×")
	if own, published := strings.IndexByte(plain, 'o'), strings.IndexByte(plain, '|'); own < 0 || published > own || !strings.Contains(plain, "=") {
		t.Errorf("0.71 %% of this fleet is not beside 0.7 %% of T16, within its interval: %s", plain)
	}
	if blocks := line(draw(picture.Style{Unicode: true}), "slow drive hours at 1.5×"); !strings.Contains(blocks, "●") || !strings.Contains(blocks, "▒") {
		t.Errorf("a terminal gets no blocks: %s", blocks)
	}
	r.Parts[0].Figures[0].T16 = nil
	if text := draw(picture.Style{}); strings.Contains(text, "slow drive hours at 1.5×") {
		t.Errorf("a share that T16 does not have is drawn:\n%s", text)
	}
}
