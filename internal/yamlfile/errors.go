package yamlfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A LineError is one mistake in a file: what is wrong and what to do,
// on one line.
type LineError struct {
	File         string
	Line, Column int    // from 1
	Text         string // "what; what to do"
	Source       string // the offending line of the file
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// excerpt shows the offending line under the error, with a mark at the place.
func (e *LineError) excerpt() string {
	if strings.TrimSpace(e.Source) == "" {
		return e.Error()
	}
	gap := []rune(e.Source)
	gap = gap[:min(max(e.Column-1, 0), len(gap))]
	for i, r := range gap {
		if r != '\t' {
			gap[i] = ' '
		}
	}
	return fmt.Sprintf("%s\n%5d | %s\n      | %s^", e.Error(), e.Line, e.Source, string(gap))
}

// Explain prints an error of [Decoder.Err] for people: every mistake with the line
// of the file that it is on. Any other error prints as it is.
func Explain(err error) string {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var parts []string
		for _, e := range joined.Unwrap() {
			parts = append(parts, Explain(e))
		}
		return strings.Join(parts, "\n")
	}
	if e, ok := errors.AsType[*LineError](err); ok {
		return e.excerpt()
	}
	return err.Error()
}

// joined returns the errors in the order of the file, none twice.
func joined(errs []*LineError) error {
	slices.SortFunc(errs, func(a, b *LineError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Text, b.Text))
	})
	errs = slices.CompactFunc(errs, func(a, b *LineError) bool { return *a == *b })
	list := make([]error, len(errs))
	for i, e := range errs {
		list[i] = e
	}
	return errors.Join(list...)
}
