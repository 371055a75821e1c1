package yamlfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A LineError is one mistake in a file. Its text is one line.
type LineError struct {
	File         string
	Line, Column int    // from 1
	Text         string // "what is wrong; what to do"
	Source       string // line of the file with the mistake
	Cause        error  // error that Text describes; nil: there is none
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text)
}

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Cause }

// A SettingError is an error in the value of one setting. Its text is that of the error.
type SettingError struct {
	Setting string
	Err     error
}

func (e *SettingError) Error() string { return e.Err.Error() }

// Unwrap returns the error.
func (e *SettingError) Unwrap() error { return e.Err }

// InSetting returns an error as a [SettingError]; nil if the error is nil.
func InSetting(setting string, err error) error {
	if err == nil {
		return nil
	}
	return &SettingError{setting, err}
}

// excerpt returns the error, and below it the line with the mistake, with a mark at the place.
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

// Each returns the errors that errors.Join has joined to an error, or the error alone.
func Each(err error) []error {
	wrapping, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	parts := wrapping.Unwrap()
	if err.Error() != errors.Join(parts...).Error() { // the parts belong to one sentence
		return []error{err}
	}
	var list []error
	for _, e := range parts {
		list = append(list, Each(e)...)
	}
	return list
}

// Explain returns an error of [Decoder.Err] as text for people: every mistake with its line of the
// file. For any other error, it returns the text of the error.
func Explain(err error) string {
	if list := Each(err); len(list) > 1 {
		var parts []string
		for _, e := range list {
			parts = append(parts, Explain(e))
		}
		return strings.Join(parts, "\n")
	}
	if e, ok := errors.AsType[*LineError](err); ok {
		return e.excerpt()
	}
	return err.Error()
}

// joined returns the errors as one error, in the order of the file and without repetitions.
func joined(errs []*LineError) error {
	slices.SortFunc(errs, func(a, b *LineError) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Text, b.Text))
	})
	errs = slices.CompactFunc(errs, func(a, b *LineError) bool {
		return a.Line == b.Line && a.Column == b.Column && a.Text == b.Text
	})
	list := make([]error, len(errs))
	for i, e := range errs {
		list[i] = e
	}
	return errors.Join(list...)
}
