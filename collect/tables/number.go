package tables

import (
	"bytes"
	"math"
	"strconv"
	"unsafe"

	"github.com/limpet-storage/limpet/table"
)

// Up to fifteen digits, and ten to the 22nd, are exact as floats, so that one
// division rounds as it should.
const exactDigits = 15

var powersOfTen = [exactDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseValue reads a measured value, missing where there is none or where
// something is wrong with it.
func parseValue(text []byte) (float64, fault) {
	if v, ok := parseDecimal(text); ok {
		return v, none
	}
	text = bytes.TrimSpace(text)
	if isMissing(text) {
		return table.Missing, none
	}
	v, err := strconv.ParseFloat(unsafeString(text), 64)
	if err != nil && !math.IsInf(v, 0) || v != v {
		return table.Missing, notNumber
	}
	return checkValue(v)
}

// checkValue lets no value pass that cannot have been measured: whatever
// limpet compares is a duration, a rate or a count.
func checkValue(v float64) (float64, fault) {
	switch {
	case v != v:
		return table.Missing, none
	case v < 0:
		return table.Missing, negative
	case v > math.MaxFloat64:
		return table.Missing, infinite
	}
	return v, none
}

// parseDecimal reads the common case: digits, perhaps with a point.
func parseDecimal(text []byte) (float64, bool) {
	if len(text) == 0 || len(text) > exactDigits {
		return 0, false
	}
	digits, decimals := uint64(0), -1
	for _, c := range text {
		switch {
		case c-'0' <= 9:
			digits = digits*10 + uint64(c-'0')
			if decimals >= 0 {
				decimals++
			}
		case c == '.' && decimals < 0:
			decimals = 0
		default:
			return 0, false
		}
	}
	if decimals < 0 {
		return float64(digits), true
	}
	return float64(digits) / powersOfTen[decimals], len(text) > 1
}

var missingWords = [][]byte{[]byte("NA"), []byte("N/A"), []byte("null"), []byte("none"), []byte(`\N`), []byte("-")}

// isMissing reports whether a field says that it has no value.
func isMissing(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	for _, word := range missingWords {
		if len(text) == len(word) && bytes.EqualFold(text, word) {
			return true
		}
	}
	return false
}

// unsafeString lends bytes as a string to a function that keeps none of it.
func unsafeString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
