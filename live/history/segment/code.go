package segment

import "math"

// Code is a number rounded to eight binary digits: the upper half of a 32-bit float. The smallest
// normal 32-bit float is 1.2e-38, and the largest is 3.4e38. For a number between these two, the
// relative error is at most [RelativeError]. For a number below 1.2e-38, the absolute error is at
// most 1.2e-38. A number that is too large gets the code of the largest number that a code can
// have.
type Code uint16

// RelativeError is the largest relative error of a code.
const RelativeError = 1.0 / 256

// Missing is the code of a missing value.
const Missing Code = 0x7fc0

// Round converts a number to the nearest code. If two codes are equally near, Round returns the
// even code.
func Round(v float64) Code {
	b := math.Float32bits(float32(v))
	c := Code((b + 0x7fff + b>>16&1) >> 16)
	if c&0x7f80 == 0x7f80 { // the rounded number is not finite
		return overflowCode(v)
	}
	return c
}

// overflowCode returns the code of a number that is too large for a 32-bit float. It returns
// Missing for NaN.
func overflowCode(v float64) Code {
	const largest Code = 0x7f7f
	switch {
	case v > 0:
		return largest
	case v < 0:
		return largest | 0x8000
	}
	return Missing
}

// Float converts a code back to a number. It converts Missing to NaN.
func (c Code) Float() float64 { return float64(math.Float32frombits(uint32(c) << 16)) }

// Seen is the set of the kinds of values that a component has. Each kind is one of the bits below.
type Seen uint8

// The kinds of values: zero, missing, and any other number. Most components have only zeros, or
// only missing values.
const (
	SeenZero Seen = 1 << iota
	SeenMissing
	SeenNumber
)

// Uniform returns true if all values of the component are zero, or if all are missing. It also returns
// the code of these values.
func (s Seen) Uniform() (c Code, same bool) {
	switch s {
	case SeenZero:
		return 0, true
	case SeenMissing:
		return Missing, true
	}
	return 0, false
}

// SeenOf returns the kind of a value from its code: zero, missing, or any other number.
func SeenOf(c Code) Seen {
	switch c {
	case 0:
		return SeenZero
	case Missing:
		return SeenMissing
	}
	return SeenNumber
}

// RoundAll rounds numbers: to[places[i]] gets the code of from[i]. RoundAll adds the kind of the
// rounded number (zero, missing, or any other number) to seen[places[i]].
func RoundAll(to []Code, from []float64, places []int32, seen []Seen) {
	places = places[:len(from)]
	to, seen = to[:len(from)], seen[:len(from)]
	for i, v := range from {
		at := places[i]
		switch {
		case v == 0:
			to[at] = 0
			seen[at] |= SeenZero
		case v != v:
			to[at] = Missing
			seen[at] |= SeenMissing
		default:
			to[at] = Round(v)
			seen[at] |= SeenNumber
		}
	}
}

// AddSeen adds the kinds of values to sets of kinds: the kind of the value with the code codes[i]
// (zero, missing, or any other number) is added to the set seen[i].
func AddSeen(codes []Code, seen []Seen) {
	seen = seen[:len(codes)]
	at := 0
	for ; at+8 <= len(codes); at += 8 {
		c := (*[8]Code)(codes[at:])
		some, all := c[0]|c[1]|c[2]|c[3]|c[4]|c[5]|c[6]|c[7], c[0]&c[1]&c[2]&c[3]&c[4]&c[5]&c[6]&c[7]
		if some == all { // all are equal if and only if their OR equals their AND
			seeEight((*[8]Seen)(seen[at:]), SeenOf(c[0]))
			continue
		}
		for i, c := range c {
			seen[at+i] |= SeenOf(c)
		}
	}
	for ; at < len(codes); at++ {
		seen[at] |= SeenOf(codes[at])
	}
}

func seeEight(seen *[8]Seen, what Seen) {
	for i := range seen {
		seen[i] |= what
	}
}

// Key converts a code to a key for sorting: a code with a larger number has a larger key.
func (c Code) Key() Code {
	if c&0x8000 != 0 {
		return ^c
	}
	return c | 0x8000
}

// Unkey converts a key back to its code.
func (c Code) Unkey() Code {
	if c&0x8000 != 0 {
		return c &^ 0x8000
	}
	return ^c
}
