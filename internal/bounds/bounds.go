package bounds

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Check returns an error for each integer, duration and finite number among the fields
// of a struct that is out of the bounds in its tags: at least the tag least, at most the
// tag most, above the tag above, below the tag below. A number without a lower bound has
// to be at least 0, and infinity and NaN are out of all bounds. Check skips the other
// fields: an inner struct has a check of its own.
//
// An error names a field by the tag name, or as JSON does, or as Go does.
func Check(options any) error {
	var errs []error
	v := reflect.Indirect(reflect.ValueOf(options))
	for i := range v.NumField() {
		f := v.Field(i)
		if !isNumber(f) {
			continue
		}
		field := v.Type().Field(i)
		if r := rangeOf(field); !r.holds(number(f)) {
			errs = append(errs, fmt.Errorf("the setting %s must be %s, not %v", nameOf(field), r, f))
		}
	}
	return errors.Join(errs...)
}

// Within returns an error if value is below least or above most. It is for bounds that are
// constants of the package, which a tag cannot name.
func Within[T int | int64 | float64 | time.Duration](name string, value, least, most T) error {
	if value >= least && value <= most {
		return nil
	}
	return fmt.Errorf("the setting %s must be between %v and %v, not %v", name, least, most, value)
}

// Errors collects the errors of several checks, and of relations between fields.
type Errors []error

// Need adds an error with the text if ok is false.
func (e *Errors) Need(ok bool, format string, args ...any) {
	if !ok {
		*e = append(*e, fmt.Errorf(format, args...))
	}
}

// Join returns one error for all, or nil.
func (e Errors) Join() error { return errors.Join(e...) }

// span is the range of numbers that the tags of a field allow. An empty text means no bound.
type span struct {
	least, most, above, below string
}

func rangeOf(field reflect.StructField) span {
	s := span{least: field.Tag.Get("least"), most: field.Tag.Get("most"), above: field.Tag.Get("above"), below: field.Tag.Get("below")}
	if s.least == "" && s.above == "" {
		s.least = "0"
	}
	return s
}

// holds reports whether a number is in the range. NaN is in no range.
func (s span) holds(value float64) bool {
	return !math.IsInf(value, 0) &&
		(s.least == "" || value >= parse(s.least)) && (s.most == "" || value <= parse(s.most)) &&
		(s.above == "" || value > parse(s.above)) && (s.below == "" || value < parse(s.below))
}

// String returns the range as the end of an error's sentence.
func (s span) String() string {
	if s.least != "" && s.most != "" {
		return "between " + s.least + " and " + s.most
	}
	if s.least != "" && s.below == "" {
		return "at least " + s.least
	}
	var parts []string
	if s.least != "" {
		parts = append(parts, "at least "+s.least)
	}
	if s.above != "" {
		parts = append(parts, "above "+s.above)
	}
	if s.most != "" {
		parts = append(parts, "at most "+s.most)
	}
	if s.below != "" {
		parts = append(parts, "below "+s.below)
	}
	return strings.Join(parts, " and ")
}

// parse returns a bound: a number, or a duration in nanoseconds. It panics for anything
// else, as the tag is part of the program.
func parse(text string) float64 {
	if value, err := strconv.ParseFloat(text, 64); err == nil {
		return value
	}
	duration, err := time.ParseDuration(text)
	if err != nil {
		panic("bounds: " + strconv.Quote(text) + " is no number and no duration")
	}
	return float64(duration)
}

func isNumber(f reflect.Value) bool { return f.CanInt() || f.CanUint() || f.CanFloat() }

// number returns the value of a field. A duration is in nanoseconds.
func number(f reflect.Value) float64 {
	switch {
	case f.CanInt():
		return float64(f.Int())
	case f.CanUint():
		return float64(f.Uint())
	}
	return f.Float()
}

func nameOf(field reflect.StructField) string {
	if name := field.Tag.Get("name"); name != "" {
		return name
	}
	if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
		return name
	}
	return field.Name
}
