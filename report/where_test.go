package report

import (
	"slices"
	"testing"

	"github.com/limpet-storage/limpet/report/page"
)

// Columns of a map have the names of LUNs or drives, or none.
func TestMapColumnsHaveRealNames(t *testing.T) {
	row := func(names ...string) (r page.MapRow) {
		for _, n := range names {
			r.Tiles = append(r.Tiles, page.Tile{Name: n})
		}
		return r
	}
	for _, tt := range []struct {
		rows []page.MapRow
		want []string
	}{
		{[]page.MapRow{row("1.00", "1.01"), row("2.00", "2.01")}, []string{"00", "01"}},
		{[]page.MapRow{row("s1/sda", "s1/sdb"), row("s2/sda", "s2/sdb")}, []string{"sda", "sdb"}},
		{[]page.MapRow{row("s1/sda", "s1/sdb"), row("s2/sda", "s2/sdc")}, nil},
		{[]page.MapRow{row("s1/sda"), row("s2/sda", "s2/sdb")}, nil},
	} {
		if got := columnNames(tt.rows); !slices.Equal(got, tt.want) {
			t.Errorf("columns %q, want %q", got, tt.want)
		}
	}
}
