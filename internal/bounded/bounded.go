package bounded

import "fmt"

// A Value is the value of a flag, with bounds.
type Value interface {
	String() string
	Set(text string) error
	Type() string
	// Bounds returns the lower and the upper bound, as errors print them.
	Bounds() (low, high string)
	// Refusal returns the error of the last Set; nil if Set accepted the text.
	Refusal() error
}

// An Error is the reason why a text was refused. The caller prints the name of the flag before it.
type Error struct {
	Is        string // kind of the value: "a whole number", "a time"; empty: right kind, but out of bounds
	Low, High string
	Unit      string // " steps"; empty: none
	Example   string // " (such as 30s or 5m)"; empty: none
	Text      string // refused text
}

// Error returns the bounds and the refused text.
func (e *Error) Error() string {
	if e.Is == "" {
		return fmt.Sprintf("must be between %s and %s%s, not %s", e.Low, e.High, e.Unit, e.Text)
	}
	return fmt.Sprintf("must be %s between %s and %s%s%s, not %q", e.Is, e.Low, e.High, e.Unit, e.Example, e.Text)
}

// kind holds the functions that parse and print values of a type.
type kind[T any] struct {
	name    string // name of the type, for help
	is      string // name of the kind in errors
	example string
	parse   func(text string) (v T, beyond, ok bool) // beyond: a number, but out of range of T
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

// read parses a text and checks the bounds.
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

// Set sets the value if the text is valid, and returns an error if not.
func (s *scalar[T]) Set(text string) error {
	v, err := s.read(text)
	if s.refusal = err; err != nil {
		return err
	}
	*s.to = v
	return nil
}

// String returns the value as a user would write it.
func (s *scalar[T]) String() string {
	if s == nil || s.to == nil { // package flag calls String on a zero value
		return ""
	}
	return s.kind.format(*s.to)
}

// Type returns the name of the type for help.
func (s *scalar[T]) Type() string { return s.kind.name }

// Bounds returns the lower and the upper bound.
func (s *scalar[T]) Bounds() (low, high string) {
	return s.kind.format(s.low), s.kind.format(s.high)
}

// Refusal returns the error of the last Set.
func (s *scalar[T]) Refusal() error { return s.refusal }
