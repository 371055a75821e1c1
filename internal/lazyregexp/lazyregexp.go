// Package lazyregexp has regular expressions that are compiled when they are first used. A program
// with hundreds of them in package variables starts faster, and needs memory only for those that it
// uses.
//
// It is like the package internal/lazyregexp of the Go tools.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression that is compiled when it is first used. Any goroutine may use it.
type Regexp struct {
	text string
	once sync.Once
	rx   *regexp.Regexp
}

// isTest reports whether go test has built this program.
var isTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns a regular expression. If the text does not compile, the first use panics. In tests,
// New itself compiles the text, so that any test of the package finds a wrong text.
func New(text string) *Regexp {
	r := &Regexp{text: text}
	if isTest {
		r.Regexp()
	}
	return r
}

// Regexp returns the compiled expression.
func (r *Regexp) Regexp() *regexp.Regexp {
	r.once.Do(func() { r.rx = regexp.MustCompile(r.text) })
	return r.rx
}

// String returns the text of the expression.
func (r *Regexp) String() string { return r.text }

// MatchString is the method of [regexp.Regexp].
func (r *Regexp) MatchString(s string) bool { return r.Regexp().MatchString(s) }

// Match is the method of [regexp.Regexp].
func (r *Regexp) Match(b []byte) bool { return r.Regexp().Match(b) }

// FindString is the method of [regexp.Regexp].
func (r *Regexp) FindString(s string) string { return r.Regexp().FindString(s) }

// FindStringIndex is the method of [regexp.Regexp].
func (r *Regexp) FindStringIndex(s string) []int { return r.Regexp().FindStringIndex(s) }

// FindStringSubmatch is the method of [regexp.Regexp].
func (r *Regexp) FindStringSubmatch(s string) []string { return r.Regexp().FindStringSubmatch(s) }

// FindStringSubmatchIndex is the method of [regexp.Regexp].
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.Regexp().FindStringSubmatchIndex(s)
}

// FindAllString is the method of [regexp.Regexp].
func (r *Regexp) FindAllString(s string, n int) []string { return r.Regexp().FindAllString(s, n) }

// FindAllStringIndex is the method of [regexp.Regexp].
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.Regexp().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is the method of [regexp.Regexp].
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Regexp().FindAllStringSubmatch(s, n)
}

// ReplaceAllString is the method of [regexp.Regexp].
func (r *Regexp) ReplaceAllString(s, with string) string { return r.Regexp().ReplaceAllString(s, with) }

// ReplaceAllStringFunc is the method of [regexp.Regexp].
func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return r.Regexp().ReplaceAllStringFunc(s, with)
}

// Split is the method of [regexp.Regexp].
func (r *Regexp) Split(s string, n int) []string { return r.Regexp().Split(s, n) }
