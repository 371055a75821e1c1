package clickhouse

import (
	"fmt"
	"math"
	"strings"

	"github.com/limpet-storage/limpet/study"
)

// The first bits of the fraction divide a doubling into cells. A cell is narrower than every
// bin, so that it contains at most one limit between two bins.
const (
	fractionBits = 52
	fractionMask = 1<<fractionBits - 1
	doublingBits = 8
	cellBits     = fractionBits - doublingBits
	cellMask     = 1<<doublingBits - 1
)

// curveKeys is the number of keys of one curve. The key of a ratio is
//
//	curve * curveKeys + 2 * cell + (1 if the ratio is at or above the limit in the cell)
//
// The positive float64 values have fewer than curveKeys/2 cells.
const curveKeys = 1 << 21

// limits returns an SQL array with the limit of each cell of a doubling: the fraction bits at
// which the next bin begins. If there is no limit in a cell, this value is above the cell.
func limits() string {
	const one = study.Bins / 2 // bin of the ratio 1
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

// limit returns the fraction bits of the lower end of a bin.
func limit(bin int) uint64 { return math.Float64bits(study.BinLower(bin)) & fractionMask }

// unkey returns the curve of a key, and a ratio in the same bin as all ratios of the key: the
// smallest or the largest ratio of the cell.
func unkey(key uint64) (curve int, r float64) {
	curve, key = int(key/curveKeys), key%curveKeys
	bits := key >> 1 << cellBits
	if key&1 == 1 {
		bits |= 1<<cellBits - 1
	}
	return curve, math.Float64frombits(bits)
}

// cellSQL returns SQL for 2 * cell of a ratio's bits, plus 1 if the ratio is at or above the
// limit in the cell.
func cellSQL(bits string) string {
	return fmt.Sprintf("bitShiftRight(%[1]s, %[2]d) * 2 + (bitAnd(%[1]s, %[3]d) >= %[4]s[bitAnd(bitShiftRight(%[1]s, %[2]d), %[5]d) + 1])",
		bits, cellBits, uint64(fractionMask), limits(), cellMask)
}
