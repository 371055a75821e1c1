package limpet

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/report/picture"
)

// TestReadingExplainsTheBarOfIncidents shows that docs/reading.md has each sign of the bar of
// `limpet incidents show`, in ASCII and in Unicode. The page calls the sign of the peers "vertical bar"
// in ASCII, because this sign separates the columns of a table.
func TestReadingExplainsTheBarOfIncidents(t *testing.T) {
	_, rest, _ := strings.Cut(words(t, "docs/reading.md"), "`limpet incidents show ID` draws another bar.")
	table, _, _ := strings.Cut(rest, "## Which section?")
	for _, style := range []picture.Style{{}, {Unicode: true}} {
		bar := picture.Ratio(style, 3.62, 2, 5)
		for _, sign := range bar {
			if explained := strings.Contains(table, "`"+string(sign)+"`"); !explained && sign != '|' {
				t.Errorf("docs/reading.md does not explain %q of %s", sign, bar)
			}
		}
	}
	if !strings.Contains(table, "vertical bar at the left end") {
		t.Error("docs/reading.md does not explain the vertical bar")
	}
}
