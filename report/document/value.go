package document

import (
	"encoding/json"
	"math"
	"time"
)

// Version is the version of the document format. A reader of a version understands all documents of
// this version: fields may be added, but no field is removed or changes its meaning.
const Version = 1

// Number is a number that may be missing: null in JSON, or left out with omitzero.
type Number float64

// IsZero reports whether the number is missing.
func (n Number) IsZero() bool { return math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) }

// MarshalJSON writes the number, or null.
func (n Number) MarshalJSON() ([]byte, error) {
	if n.IsZero() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(n))
}

// UnmarshalJSON reads the number; null means that it is missing.
func (n *Number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = missing
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

var missing = Number(math.NaN())

// above returns v if v is finite and above zero and holds is true, otherwise a missing number.
func above(v float64, holds bool) Number {
	if v <= 0 || math.IsInf(v, 1) || !holds {
		v = math.NaN()
	}
	return Number(v)
}

// Time is a Unix time, written as RFC 3339 in UTC.
type Time int64

// IsZero reports whether there is no time.
func (t Time) IsZero() bool { return t == 0 }

// MarshalJSON writes the time.
func (t Time) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Unix(int64(t), 0).UTC().Format(time.RFC3339))
}

// UnmarshalJSON reads the time.
func (t *Time) UnmarshalJSON(data []byte) error {
	var at time.Time
	if err := json.Unmarshal(data, &at); err != nil {
		return err
	}
	*t = Time(at.Unix())
	return nil
}

// Each returns the results of make for all elements. The result is never nil, so JSON has an array
// and not null.
func Each[T, U any](s []T, make func(T) U) []U {
	out := []U{}
	for i := range s {
		out = append(out, make(s[i]))
	}
	return out
}

// same returns v.
func same[T any](v T) T { return v }

// List returns a copy of s that is never nil.
func List[T any](s []T) []T { return Each(s, same[T]) }
