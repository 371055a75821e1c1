package bounded

import "fmt"

// A Value is a flag's value with bounds.
type Value interface {
	String() string
	Set(text string) error
	Type() string
	// Bounds are the lower and the upper bound, as errors say them.
	Bounds() (low, high string)
	// Refusal is the error of the last Set, nil where it took the text.
	Refusal() error
}

// An Error is why a text was refused. The flag's name stands before it.
type Error struct {
	Is        string // what the value is: "a whole number", "a time"; empty: of the right kind, but out of bounds
	Low, High string
	Unit      string // " steps"; empty: none
	Example   string // ", such as 30s or 5m"; empty: none
	Text      string // that was given
}

// Error says what the value must be.
func (e *Error) Error() string {
	if e.Is == "" {
		return fmt.Sprintf("must be between %s and %s%s, not %s", e.Low, e.High, e.Unit, e.Text)
	}
	return fmt.Sprintf("must be %s between %s and %s%s%s, not %q", e.Is, e.Low, e.High, e.Unit, e.Example, e.Text)
}

// kind is how values of a type are read and written.
type kind[T any] struct {
	name    string // of the type, for help
	is      string // in errors
	example string
	parse   func(text string) (v T, beyond, ok bool) // beyond: it is one, but no T holds it
	format  func(v T) string
	less    func(a, b T) bool
}

// scalar is one value with bounds.
type scalar[T any] struct {
	kind      *kind[T]
	to        *T
	low, high T
	unit      string
	refusal   error
}

// read reads a text, or says why not.
func (s *scalar[T]) read(text string) (T, error) {
	v, beyond, ok := s.kind.parse(text)
	why := &Error{Low: s.kind.format(s.low), High: s.kind.format(s.high), Text: text}
	if s.unit != "" {
		why.Unit = " " + s.unit
	}
	switch {
	case !ok:
		why.Is, why.Example = s.kind.is, s.kind.example
		return v, why
	case beyond, s.kind.less(v, s.low), s.kind.less(s.high, v):
		return v, why
	}
	return v, nil
}

// Set takes a text.
func (s *scalar[T]) Set(text string) error {
	v, err := s.read(text)
	if s.refusal = err; err != nil {
		return err
	}
	*s.to = v
	return nil
}

// String is the value as it would be given.
func (s *scalar[T]) String() string {
	if s == nil || s.to == nil { // package flag asks a zero value
		return ""
	}
	return s.kind.format(*s.to)
}

// Type is what help calls the value.
func (s *scalar[T]) Type() string { return s.kind.name }

// Bounds are both bounds.
func (s *scalar[T]) Bounds() (low, high string) {
	return s.kind.format(s.low), s.kind.format(s.high)
}

// Refusal is the error of the last Set.
func (s *scalar[T]) Refusal() error { return s.refusal }
