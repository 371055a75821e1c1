package clickhouse

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/study"
)

// TestKindsOfGroups has groups whose known drives are away in some hours, and
// parity drives with records in groups that have more on file.
func TestKindsOfGroups(t *testing.T) {
	s := startServers(t, 1)[0]
	var records []record
	inventory := [][]string{{"drive", "kind", "role", "group"}}
	start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for g, kind := range []string{"disk", "ssd", ""} {
		for d := range 6 {
			name := fmt.Sprintf("%d-%d", g, d)
			if d < 2 {
				inventory = append(inventory, []string{name, kind, "data", ""})
			}
			for h := range 20 {
				if d >= 2 || h%2 == 0 {
					slow := 1 + float64((h+d)%5/4)
					records = append(records, record{start.Add(time.Duration(h) * time.Hour), fmt.Sprint("g", g), name, "", known(9), known(100 * slow), known(4096)})
				}
			}
		}
		inventory = append(inventory, []string{fmt.Sprint(g, "-5"), kind, "parity", fmt.Sprint("g", g)}, []string{fmt.Sprint(g, "-9"), kind, "parity", fmt.Sprint("g", g)})
	}
	f := written(t, records)
	f.inventory = filepath.Join(f.dir, "inventory.csv")
	writeCSV(t, f.inventory, inventory)
	s.load("records", f.records, all)
	want := f.embedded(t, nil, study.DefaultOptions())
	if c := want.reduction.Cells; len(c) != 3 || c[1].Kind != study.Disk || c[1].Hours != 20 || c[1].Parity != 1 {
		t.Fatalf("cells %+v, want one of each group", c)
	}
	o := DefaultOptions()
	o.Table, o.InventoryFiles = "records", []string{f.inventory}
	same(t, reduced(t, s.DSN(), o, study.DefaultOptions()), want)
}
