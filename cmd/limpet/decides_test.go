package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"
)

// TestDecidesPicture draws the first picture of docs/decides.md from the demo, and compares the two:
// the wait of LUN 1.07 beside that of its peers, one column for each millisecond.
func TestDecidesPicture(t *testing.T) {
	page := checkout.Read(t, "docs/decides.md")
	t.Chdir(t.TempDir())
	demo(t, "limpet-demo")
	got := tellOf("diagnose", "--list", "-o", "json", "--topology", filepath.Join("limpet-demo", "topology.yaml"), filepath.Join("limpet-demo", "activity"))
	if got.code != 0 {
		t.Fatal(got.err)
	}
	var report struct {
		Hours []struct {
			Windows []struct {
				Group      int
				End        time.Time
				Components []struct {
					Name string
					Own  *float64
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(got.out), &report); err != nil {
		t.Fatal(err)
	}
	const path, columns = "1.07.4", 46
	ends := []string{"01:15", "01:45", "02:15", "02:30", "03:00"}
	drawn := 0
	for _, hour := range report.Hours {
		for _, w := range hour.Windows {
			end := w.End.UTC().Format("15:04")
			own, least, most := math.NaN(), math.Inf(1), 0.0
			for _, c := range w.Components {
				switch {
				case c.Own == nil:
				case c.Name == path:
					own = *c.Own
				default:
					least, most = min(least, *c.Own), max(most, *c.Own)
				}
			}
			if math.IsNaN(own) || !slices.Contains(ends, end) {
				continue
			}
			line := []byte(strings.Repeat(".", columns))
			for ms := int(math.Round(least)); ms <= int(math.Round(most)); ms++ {
				line[ms] = 'o'
			}
			line[int(math.Round(own))] = '*'
			want := fmt.Sprintf(" %s   %s   LUN 1.07 %4.1f ms\n", end, line, own)
			if drawn++; !strings.Contains(page, want) {
				t.Errorf("docs/decides.md does not have the line\n%s", want)
			}
		}
	}
	if drawn != len(ends) {
		t.Errorf("%d lines were drawn, want %d", drawn, len(ends))
	}
}
