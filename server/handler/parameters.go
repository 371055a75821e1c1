package handler

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxTextBytes is the largest size of a parameter. No name is longer.
const maxTextBytes = 256

// checkParameters refuses a parameter that the route does not have, that is given twice, or that is
// too long or not UTF-8.
func checkParameters(r *http.Request, route *Route) error {
	if route.Receives {
		return nil
	}
	query := r.URL.Query()
	for _, name := range sortedKeys(query) {
		values := query[name]
		switch {
		case !slices.Contains(route.Parameters, name):
			return badf("this URL has no parameter %q; %s", name, takes(route.Parameters))
		case len(values) > 1:
			return badf("the parameter %q is given %d times; give this parameter once", name, len(values))
		case len(values[0]) > maxTextBytes || !utf8.ValidString(values[0]):
			return badf("the parameter %q must be a text of at most %d bytes", name, maxTextBytes)
		}
	}
	for _, part := range []string{"id", "name", "group"} {
		if v := r.PathValue(part); len(v) > maxTextBytes || !utf8.ValidString(v) {
			return badf("the part {%s} of the path is empty or too long: write 1 to %d bytes", part, maxTextBytes)
		}
	}
	return nil
}

func sortedKeys(query map[string][]string) []string {
	names := make([]string, 0, len(query))
	for name := range query {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func takes(names []string) string {
	if len(names) == 0 {
		return "the URL takes no parameters"
	}
	return "the URL takes " + strings.Join(names, ", ")
}

// parameters reads the parameters of one request. Err is the first error.
type parameters struct {
	Err    error
	values map[string][]string
}

// parametersOf returns the parameters of a request.
func parametersOf(r *http.Request) *parameters { return &parameters{values: r.URL.Query()} }

// Text returns a parameter unchanged; empty: the parameter is not given.
func (p *parameters) Text(name string) string {
	if v := p.values[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// Fail records an error.
func (p *parameters) Fail(format string, args ...any) {
	if p.Err == nil {
		p.Err = badf(format, args...)
	}
}

// Number returns a whole number from low to high; usual if the parameter is not given.
func (p *parameters) Number(name string, usual, low, high int64) int64 {
	text := p.Text(name)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < low || n > high {
		p.Fail("the parameter %s must be a whole number between %d and %d, not %q", name, low, high, text)
	}
	return n
}

// Numbers of entries of a page.
const (
	usualPage = 100
	mostPage  = 1000
)

// Limit returns the largest number of entries of a page.
func (p *parameters) Limit() int { return int(p.Number("limit", usualPage, 1, mostPage)) }

// Time returns a Unix time; usual if the parameter is not given.
func (p *parameters) Time(name string, usual int64) int64 {
	text := p.Text(name)
	if text == "" {
		return usual
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || at.Unix() <= 0 {
		p.Fail("the parameter %s must be a time such as 2026-03-01T12:30:00Z, not %q", name, text)
	}
	return at.Unix()
}

// Span returns the parameters "from" and "to". If they are not given, to is usual, and from is
// length seconds before to.
func (p *parameters) Span(usual, length int64) (from, to int64) {
	to = p.Time("to", usual)
	from = p.Time("from", to-length)
	if from >= to {
		p.Fail("the time \"from\" must be before the time \"to\"")
	}
	return from, to
}

// One returns a parameter that must be one of the given words; the first word if the parameter is
// not given.
func (p *parameters) One(name string, of ...string) string {
	text := p.Text(name)
	switch {
	case text == "":
		return of[0]
	case !slices.Contains(of, text):
		p.Fail("the parameter %s must be %s, not %q", name, strings.Join(of, " or "), text)
	}
	return text
}

// Some returns a list of given words, which the request separates by commas; all words if the
// parameter is not given.
func (p *parameters) Some(name string, of []string) []string {
	text := p.Text(name)
	if text == "" {
		return of
	}
	list := strings.Split(text, ",")
	for _, word := range list {
		if !slices.Contains(of, word) {
			p.Fail("the parameter %s must be one or more of %s (with commas between them), not %q", name, strings.Join(of, ", "), word)
		}
	}
	return list
}
