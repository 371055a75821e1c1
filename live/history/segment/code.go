package segment

import "math"

// Code is a number rounded to eight binary digits: the upper half of a 32-bit
// float. It is off by no more than [RelativeError] from the least normal number of
// 32 bits, 1.2e-38, to the largest, 3.4e38. What is smaller is off by no more than
// that least number, and what is larger is the largest.
type Code uint16

// RelativeError bounds what rounding does to a number.
const RelativeError = 1.0 / 256

// Missing is the code of what was not measured.
const Missing Code = 0x7fc0

// Round returns the nearest code of a number; ties go to the even one.
func Round(v float64) Code {
	b := math.Float32bits(float32(v))
	c := Code((b + 0x7fff + b>>16&1) >> 16)
	if c&0x7f80 == 0x7f80 { // no finite number
		return beyond(v)
	}
	return c
}

// beyond is the code of a number that 32 bits do not hold.
func beyond(v float64) Code {
	const largest Code = 0x7f7f
	switch {
	case v > 0:
		return largest
	case v < 0:
		return largest | 0x8000
	}
	return Missing
}

// Float is the number of a code; missing is NaN.
func (c Code) Float() float64 { return float64(math.Float32frombits(uint32(c) << 16)) }

// Seen says what the values of a component were.
type Seen uint8

// What was seen. Of most components all is zero, or all is missing.
const (
	SeenZero Seen = 1 << iota
	SeenMissing
	SeenNumber
)

// Same says whether all codes were the same, and which.
func (s Seen) Same() (c Code, same bool) {
	switch s {
	case SeenZero:
		return 0, true
	case SeenMissing:
		return Missing, true
	}
	return 0, false
}

// See is what one code is.
func See(c Code) Seen {
	switch c {
	case 0:
		return SeenZero
	case Missing:
		return SeenMissing
	}
	return SeenNumber
}

// RoundAll rounds numbers, puts each to its place, and adds to seen what they were.
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

// SeeAll adds to seen what codes are.
func SeeAll(codes []Code, seen []Seen) {
	seen = seen[:len(codes)]
	at := 0
	for ; at+8 <= len(codes); at += 8 {
		c := (*[8]Code)(codes[at:])
		some, all := c[0]|c[1]|c[2]|c[3]|c[4]|c[5]|c[6]|c[7], c[0]&c[1]&c[2]&c[3]&c[4]&c[5]&c[6]&c[7]
		if some == all { // they are the same
			seeEight((*[8]Seen)(seen[at:]), See(c[0]))
			continue
		}
		for i, c := range c {
			seen[at+i] |= See(c)
		}
	}
	for ; at < len(codes); at++ {
		seen[at] |= See(codes[at])
	}
}

func seeEight(seen *[8]Seen, what Seen) {
	for i := range seen {
		seen[i] |= what
	}
}

// Key turns a code into one that has the order of numbers.
func (c Code) Key() Code {
	if c&0x8000 != 0 {
		return ^c
	}
	return c | 0x8000
}

// Unkey turns the key of a code back.
func (c Code) Unkey() Code {
	if c&0x8000 != 0 {
		return c &^ 0x8000
	}
	return ^c
}
