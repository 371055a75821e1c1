package bounded

import (
	"math"
	"strconv"
	"strings"
)

// Int returns a value for a whole number. The unit is for errors.
func Int(to *int, low, high int, unit string) Value {
	return &scalar[int]{kind: &ints, to: to, low: low, high: high, unit: unit}
}

// Int64 returns a value for a whole number. The unit is for errors.
func Int64(to *int64, low, high int64, unit string) Value {
	return &scalar[int64]{kind: &int64s, to: to, low: low, high: high, unit: unit}
}

// Seed returns a value for any whole number of 64 bits.
func Seed(to *uint64) Value {
	return &scalar[uint64]{kind: &uint64s, to: to, high: math.MaxUint64}
}

// Float returns a value for a number. The unit is for errors.
func Float(to *float64, low, high float64, unit string) Value {
	return &scalar[float64]{kind: &floats, to: to, low: low, high: high, unit: unit}
}

const (
	isWhole  = "a whole number"
	isNumber = "a number"
	decimal  = 10
	wide     = 64
)

var (
	ints = kind[int]{"int", isWhole, "", func(text string) (int, bool, bool) {
		v, beyond, ok := parseInt(text)
		return int(v), beyond || int64(int(v)) != v, ok
	}, strconv.Itoa, less[int]}
	int64s  = kind[int64]{"int", isWhole, "", parseInt, func(v int64) string { return strconv.FormatInt(v, decimal) }, less[int64]}
	uint64s = kind[uint64]{"uint", isWhole, "", parseUint, func(v uint64) string { return strconv.FormatUint(v, decimal) }, less[uint64]}
	floats  = kind[float64]{"float", isNumber, "", parseFloat, func(v float64) string { return strconv.FormatFloat(v, 'f', -1, wide) }, less[float64]}
)

func less[T int | int64 | uint64 | float64](a, b T) bool { return a < b }

func parseInt(text string) (v int64, beyond, ok bool) {
	v, err := strconv.ParseInt(text, decimal, wide)
	return v, err != nil, err == nil || isDigits(strings.TrimLeft(text, "+-"))
}

func parseUint(text string) (v uint64, beyond, ok bool) {
	v, err := strconv.ParseUint(text, decimal, wide)
	return v, err != nil, err == nil || isDigits(strings.TrimLeft(text, "+-"))
}

// parseFloat parses a decimal number. Infinity, NaN and hexadecimal numbers are not ok.
func parseFloat(text string) (v float64, beyond, ok bool) {
	v, err := strconv.ParseFloat(text, wide)
	if math.IsNaN(v) || strings.Trim(text, "+-0123456789.eE") != "" {
		return 0, false, false
	}
	infinite := math.IsInf(v, 0)
	return v, infinite, err == nil || infinite
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
