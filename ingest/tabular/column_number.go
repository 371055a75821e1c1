package tabular

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"unsafe"
)

// mostBelieved is the largest plausible value in any unit. As bytes per second it is a
// zettabyte per second, which no storage reaches. As microseconds it is 30 million years.
const mostBelieved = 1e21

// checkPlausible returns v · `scale`, or a fault. All values are durations, rates or counts, so a
// value below zero is a fault. A scaled value above `most` is a fault too. NaN means a missing
// value, which is not a fault.
func checkPlausible(v, scale, most float64) (float64, Fault) {
	switch {
	case v < 0:
		return math.NaN(), Negative
	case v > math.MaxFloat64:
		return math.NaN(), Infinite
	case v > mostBelieved, v*scale > most:
		return math.NaN(), Unbelievable
	}
	return v * scale, noFault
}

// exactDigits is the largest length of a text that parseDecimal parses. parseDecimal divides the
// digits, as an integer, by a power of ten. A float64 holds every integer of at most 15 digits and
// every power of ten up to 1e15 exactly. So the quotient is correctly rounded.
const exactDigits = 15

var powersOfTen = [exactDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// parseNumber parses a value, and multiplies it by `scale`. NaN is a missing value.
func parseNumber(text []byte, scale, most float64) (float64, Fault) {
	if v, ok := parseDecimal(text); ok && v*scale <= most {
		return v * scale, noFault
	}
	return parseNumberPlain(text, scale, most)
}

// parseNumberPlain returns the same results as parseNumber, which calls it for less common texts.
// It always uses the standard library, which is slower.
func parseNumberPlain(text []byte, scale, most float64) (float64, Fault) {
	text = bytes.TrimSpace(text)
	if IsMissing(text) {
		return math.NaN(), noFault
	}
	v, err := strconv.ParseFloat(stringOf(text), 64)
	if err != nil && !math.IsInf(v, 0) || v != v {
		return math.NaN(), NotNumber
	}
	return checkPlausible(v, scale, most)
}

// numberHint returns advice for a text that would be a number if its comma were a decimal point.
// The comma may be a decimal comma, or may separate thousands. For all other texts numberHint
// returns an empty text.
func numberHint(text []byte) string {
	before, after, ok := bytes.Cut(bytes.TrimSpace(text), []byte(","))
	if _, isNumber := parseDecimal(slices.Concat(before, []byte("."), after)); !ok || !isNumber {
		return ""
	}
	return `if the comma is a decimal comma, add decimal: "," to the description file`
}

// withPoint appends a number to `buffer`, and replaces its decimal comma by a decimal point. In a
// number with a decimal comma, a point separates thousands. Such points are not supported. So
// withPoint writes each point twice, and the result is not a valid number.
func withPoint(buffer, text []byte) []byte {
	for _, c := range text {
		switch c {
		case ',':
			c = '.'
		case '.':
			buffer = append(buffer, c)
		}
		buffer = append(buffer, c)
	}
	return buffer
}

// parseDecimal parses the most common form of a number: digits, with or without a decimal
// point. The result `ok` is false for all other texts.
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

// longestMissing is the length of the longest word that means a missing value.
const longestMissing = len("none")

// IsMissing reports whether a text means a missing value: it is empty, or a word such as NA or
// null.
func IsMissing[T string | []byte](text T) bool {
	if len(text) > longestMissing {
		return false
	}
	var lower [longestMissing]byte
	for i := range len(text) {
		lower[i] = text[i]
		if 'A' <= lower[i] && lower[i] <= 'Z' {
			lower[i] += 'a' - 'A'
		}
	}
	switch string(lower[:len(text)]) {
	case "", "na", "n/a", "nan", "null", "none", `\n`, "-":
		return true
	}
	return false
}

// stringOf returns bytes as a string without a copy. The string may only be passed to a
// function that does not keep it.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
