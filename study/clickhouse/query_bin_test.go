package clickhouse

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// TestCells puts ratios into bins as CellSQL has it: at the limits of all bins
// and of all cells, right beside them, and beyond all bins.
func TestCells(t *testing.T) {
	ratios := []float64{1e-300, 1e-38, 1e38, 1e300}
	for bin := range study.Bins {
		ratios = append(ratios, study.BinLower(bin))
	}
	for cell := range cellMask + 1 {
		ratios = append(ratios, 1+float64(cell)/(cellMask+1))
	}
	var table []uint64
	if err := json.Unmarshal([]byte(limits()), &table); err != nil {
		t.Fatal(err)
	}
	b := study.NewBinner()
	for _, limit := range ratios {
		for _, r := range []float64{math.Nextafter(limit, 0), limit, math.Nextafter(limit, math.Inf(1))} {
			bits := math.Float64bits(r)
			key := 3*curveKeys + bits>>cellBits*2
			if bits&fractionMask >= table[bits>>cellBits&cellMask] {
				key++
			}
			if curve, like := unkey(key); curve != 3 || b.Bin(like) != b.Bin(r) {
				t.Errorf("%v is in bin %d of curve %d, want %d of 3", r, b.Bin(like), curve, b.Bin(r))
			}
		}
	}
}

func TestQuoted(t *testing.T) {
	tests := []struct{ got, want string }{
		{exact(1.5), "(toFloat64(3) / 2)"},
		{exact(2), "(toFloat64(2) * 1)"},
		{exact(1 << 60), "(toFloat64(4503599627370496) * 256)"},
		{identifier("a`; --\\"), "`a\\`; --\\\\`"},
		{text(`a'; --\`), `'a\'; --\\'`},
		{parseTable("records").String(), "`records`"},
		{parseTable("fleet.rec.ords").String(), "`fleet`.`rec.ords`"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}
