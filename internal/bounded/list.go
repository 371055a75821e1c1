package bounded

import "strings"

// list is several values of one kind, with commas between them. The first time
// that the flag is given it takes the place of the default, and then adds.
type list[T any] struct {
	scalar[T] // one of them
	all       *[]T
	given     bool
}

// Ints are whole numbers of units.
func Ints(to *[]int, low, high int, unit string) Value {
	return &list[int]{scalar: scalar[int]{kind: &ints, low: low, high: high, unit: unit}, all: to}
}

// Floats are numbers of units.
func Floats(to *[]float64, low, high float64, unit string) Value {
	return &list[float64]{scalar: scalar[float64]{kind: &floats, low: low, high: high, unit: unit}, all: to}
}

// Set takes a text.
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

// String is the values as they would be given.
func (l *list[T]) String() string {
	if l == nil || l.all == nil { // package flag asks a zero value
		return ""
	}
	var texts []string
	for _, v := range *l.all {
		texts = append(texts, l.kind.format(v))
	}
	return strings.Join(texts, ",")
}

// Type is what help calls the values.
func (l *list[T]) Type() string { return l.kind.name + "s" }
