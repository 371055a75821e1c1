// This file selects names by the patterns of a command line: fs3, fs[1-128], fs[1-4,7],
// sd*.

package topology

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Set is the set of names that patterns stand for. The zero value holds every name.
type Set struct {
	patterns []string
	exact    map[string]bool
	globs    []string
}

// ParseNames parses patterns. Each text may hold several patterns, with commas between them.
func ParseNames(patterns []string) (Set, error) {
	s := Set{patterns: patterns, exact: map[string]bool{}}
	for _, pattern := range patterns {
		if err := s.add(strings.TrimSpace(pattern)); err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *Set) add(pattern string) error {
	if strings.ContainsAny(pattern, "*?") {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%q is not a pattern for names: write a pattern such as fs* or fs[1-8]", pattern)
		}
		s.globs = append(s.globs, pattern)
		return nil
	}
	list, err := Expand(pattern)
	for _, name := range list {
		s.exact[name] = true
	}
	return err
}

// IsAll reports whether there are no patterns, so that every name is selected.
func (s *Set) IsAll() bool { return len(s.patterns) == 0 }

// Has reports whether a name is selected. A slash in a name is a letter like others: sd* does not
// match fs1/sda, but */sda does.
func (s *Set) Has(name string) bool {
	if s.IsAll() || s.exact[name] {
		return true
	}
	return slices.ContainsFunc(s.globs, func(glob string) bool {
		ok, err := path.Match(strings.ReplaceAll(glob, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
		return ok && err == nil
	})
}

// HasHost reports whether a host is selected, with its domain or without.
func (s *Set) HasHost(host string) bool {
	short, _, _ := strings.Cut(host, ".")
	return s.Has(host) || s.Has(short)
}

// String returns the patterns as they were written.
func (s *Set) String() string { return strings.Join(s.patterns, ", ") }
