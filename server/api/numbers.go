package api

import (
	"bytes"
	"math"
	"strconv"

	"github.com/limpet-storage/limpet/report/document"
)

// Numbers are many numbers, some of which may be missing. One method encodes them all, because a
// map of a large system has a hundred thousand numbers.
type Numbers []document.Number

// MarshalJSON writes the numbers as encoding/json would write each of them.
func (n Numbers) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 8*len(n)+2), '[')
	for i, v := range n {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendNumber(out, v)
	}
	return append(out, ']'), nil
}

// Like encoding/json, appendNumber writes an exponent for sizes below smallest and from largest on.
const smallest, largest = 1e-6, 1e21

func appendNumber(out []byte, v document.Number) []byte {
	if v.IsZero() {
		return append(out, "null"...)
	}
	format := byte('f')
	if size := math.Abs(float64(v)); size != 0 && (size < smallest || size >= largest) {
		format = 'e'
	}
	begin := len(out)
	out = strconv.AppendFloat(out, float64(v), format, -1, 64)
	if at := bytes.Index(out[begin:], []byte("e-0")); at >= 0 { // write 1e-09 as 1e-9
		out = append(out[:begin+at+2], out[begin+at+3:]...)
	}
	return out
}
