package clickhouse

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// A doubling is cut into cells by the first bits of the fraction, narrower
// than any bin, so that in each there is at most one limit between two bins.
const (
	fractionBits = 52
	fractionMask = 1<<fractionBits - 1
	doublingBits = 8
	cellBits     = fractionBits - doublingBits
	cellMask     = 1<<doublingBits - 1
)

// curveKeys are those of one curve. A key tells the curve that a ratio is of,
// its cell, and on which side of the limit in the cell it is; the cells of all
// float64 values that are positive are fewer than half of these.
const curveKeys = 1 << 21

// limits lists, for each cell of a doubling, the fraction from which on it is
// the next bin; that is past the cell where it has no limit.
func limits() string {
	const one = study.Bins / 2 // the bin that 1 begins
	out := make([]string, 0, cellMask+1)
	bin := 1
	for cell := range uint64(cellMask + 1) {
		for bin < study.PerDoubling && limit(one+bin) <= cell<<cellBits {
			bin++
		}
		if bin == study.PerDoubling {
			out = append(out, fmt.Sprint(uint64(1)<<fractionBits))
			continue
		}
		out = append(out, fmt.Sprint(limit(one+bin)))
	}
	return "[" + strings.Join(out, ",") + "]"
}

// limit is where a bin begins, as fraction bits.
func limit(bin int) uint64 { return math.Float64bits(study.BinLower(bin)) & fractionMask }

// unkey is the curve and a ratio that is in the same bin as all those of the
// key: the least or the greatest of its cell.
func unkey(key uint64) (curve int, r float64) {
	curve, key = int(key/curveKeys), key%curveKeys
	bits := key >> 1 << cellBits
	if key&1 == 1 {
		bits |= 1<<cellBits - 1
	}
	return curve, math.Float64frombits(bits)
}

// cellSQL tells the cell of a ratio's bits, and on which side of the limit it
// is: twice the cell, and one more from the limit on.
func cellSQL(bits string) string {
	return fmt.Sprintf("bitShiftRight(%[1]s, %[2]d) * 2 + (bitAnd(%[1]s, %[3]d) >= %[4]s[bitAnd(bitShiftRight(%[1]s, %[2]d), %[5]d) + 1])",
		bits, cellBits, uint64(fractionMask), limits(), cellMask)
}
