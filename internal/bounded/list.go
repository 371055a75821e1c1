package bounded

import "strings"

// list holds several values of one kind, separated by commas. The first use of the flag replaces
// the default; each further use adds values.
type list[T any] struct {
	scalar[T] // parses one value
	all       *[]T
	given     bool
}

// Ints returns a value for a list of whole numbers. The unit is for errors.
func Ints(to *[]int, low, high int, unit string) Value {
	return &list[int]{scalar: scalar[int]{kind: &ints, low: low, high: high, unit: unit}, all: to}
}

// Floats returns a value for a list of numbers. The unit is for errors.
func Floats(to *[]float64, low, high float64, unit string) Value {
	return &list[float64]{scalar: scalar[float64]{kind: &floats, low: low, high: high, unit: unit}, all: to}
}

// Set parses a list of values.
func (l *list[T]) Set(text string) error {
	var read []T
	for part := range strings.SplitSeq(text, ",") {
		v, err := l.read(strings.TrimSpace(part))
		if l.refusal = err; err != nil {
			return err
		}
		read = append(read, v)
	}
	if !l.given {
		*l.all, l.given = nil, true
	}
	*l.all = append(*l.all, read...)
	return nil
}

// String returns the values as a user would write them.
func (l *list[T]) String() string {
	if l == nil || l.all == nil { // package flag calls String on a zero value
		return ""
	}
	var texts []string
	for _, v := range *l.all {
		texts = append(texts, l.kind.format(v))
	}
	return strings.Join(texts, ",")
}

// Type returns the name of the type for help.
func (l *list[T]) Type() string { return l.kind.name + "s" }
