package bounded

import (
	"math"
	"strconv"
	"strings"
)

// Bytes is a number of bytes, such as 20G.
func Bytes(to *int64, low, high int64) Value {
	return &scalar[int64]{kind: &byteCounts, to: to, low: low, high: high}
}

var byteCounts = kind[int64]{
	"BYTES", "a number of bytes", ", such as 64M, 20G or 1T", parseBytes, FormatBytes, less[int64],
}

// byteUnits are powers of 1024.
const (
	byteUnits = "KMGT"
	unitBits  = 10
)

func parseBytes(text string) (v int64, beyond, ok bool) {
	digits, scale := text, int64(1)
	if n := len(text); n > 0 {
		if unit := strings.IndexByte(byteUnits, text[n-1]); unit >= 0 {
			digits, scale = text[:n-1], 1<<(unitBits*(unit+1))
		}
	}
	v, beyond, ok = parseInt(digits)
	if !ok || beyond || v > math.MaxInt64/scale || v < math.MinInt64/scale {
		return 0, true, ok
	}
	return v * scale, false, true
}

// FormatBytes writes a number in the largest unit that it is a whole number
// of, as it would be given.
func FormatBytes(n int64) string {
	unit := ""
	for i := 0; i < len(byteUnits) && n != 0 && n%(1<<unitBits) == 0; i++ {
		n, unit = n>>unitBits, byteUnits[i:i+1]
	}
	return strconv.FormatInt(n, decimal) + unit
}
