package bounded

import (
	"math"
	"strconv"
	"strings"
)

// Bytes returns a value for a number of bytes, such as 20G.
func Bytes(to *int64, low, high int64) Value {
	return &scalar[int64]{kind: &byteCounts, to: to, low: low, high: high}
}

var byteCounts = kind[int64]{
	"BYTES", "a number of bytes", " (such as 64M, 20G or 1T)", parseBytes, FormatBytes, less[int64],
}

// byteUnits are the letters of the units; each unit is 1024 times the unit before it.
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

// FormatBytes returns a number of bytes as a user would write it, in the largest unit that divides
// it: 20G.
func FormatBytes(n int64) string {
	unit := ""
	for i := 0; i < len(byteUnits) && n != 0 && n%(1<<unitBits) == 0; i++ {
		n, unit = n>>unitBits, byteUnits[i:i+1]
	}
	return strconv.FormatInt(n, decimal) + unit
}

// sizeText returns a number of bytes with its unit, such as "4 MiB".
func sizeText(n int64) string {
	text := FormatBytes(n)
	if last := len(text) - 1; strings.ContainsRune(byteUnits, rune(text[last])) {
		return text[:last] + " " + text[last:] + "iB"
	}
	return text + " bytes"
}
