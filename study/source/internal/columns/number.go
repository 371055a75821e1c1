package columns

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

var missing = float32(math.NaN())

// A badValue says what is wrong with a value that cannot have been measured.
type badValue string

const (
	good      badValue = ""
	notNumber badValue = "is no number"
	negative  badValue = "is below zero"
	infinite  badValue = "is infinite"
)

// measured scales a value; NaN is a value that is missing and nothing wrong.
func measured(v, scale float64) (float32, badValue) {
	switch scaled := v * scale; {
	case v < 0:
		return missing, negative
	case scaled > math.MaxFloat32:
		return missing, infinite
	default:
		return float32(scaled), good
	}
}

// Up to fifteen digits, and their power of ten, are exact as floats, so that
// one division rounds as it should.
const exactDigits = 15

var powersOfTen = [exactDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseNumber reads a value, NaN where the field says that there is none.
func parseNumber(text []byte, scale float64) (float32, badValue) {
	if v, ok := parseDecimal(text); ok {
		return measured(v, scale)
	}
	text = bytes.TrimSpace(text)
	if IsMissing(text) {
		return missing, good
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil && !math.IsInf(v, 0) || v != v {
		return missing, notNumber
	}
	return measured(v, scale)
}

// parseDecimal reads the common case: digits, perhaps with a point.
func parseDecimal(text []byte) (float64, bool) {
	if len(text) == 0 || len(text) > exactDigits {
		return 0, false
	}
	digits, point := uint64(0), -1
	for i, c := range text {
		switch {
		case c-'0' <= 9:
			digits = digits*10 + uint64(c-'0')
		case c == '.' && point < 0:
			point = i
		default:
			return 0, false
		}
	}
	if point < 0 {
		return float64(digits), true
	}
	return float64(digits) / powersOfTen[len(text)-1-point], len(text) > 1
}

// IsMissing reports whether a field says that it has no value. Names are never
// missing but where they are empty: a drive may be called NA.
func IsMissing[T string | []byte](text T) bool {
	if len(text) > len("none") {
		return false
	}
	switch strings.ToLower(string(text)) {
	case "", "na", "n/a", "nan", "null", "none", `\n`, "-":
		return true
	}
	return false
}
