package paths

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// CutField splits a text at the first {field}. It returns the text before the field, the name of
// the field, and the rest. If there is no field, the name is empty.
func CutField(text string) (before, field, rest string, err error) {
	before, rest, found := strings.Cut(text, "{")
	if strings.Contains(before, "}") {
		return "", "", "", fmt.Errorf("%q has a } without a {; write fields as {host}", text)
	}
	if !found {
		return before, "", "", nil
	}
	field, rest, found = strings.Cut(rest, "}")
	if !found || field == "" || strings.Contains(field, "{") {
		return "", "", "", fmt.Errorf("%q has a { without a name or without a }; write fields as {host}", text)
	}
	return before, field, rest, nil
}

// A Pattern selects files by the ends of their paths, and takes fields from the paths:
// "{host}/*.csv". A field is as short as possible, and * matches any text without a slash. The path
// may have an additional ending of compressed files.
type Pattern struct {
	text   string
	end    *regexp.Regexp
	fields []string
}

// Parse parses a pattern.
func Parse(text string) (Pattern, error) {
	p := Pattern{text: text}
	expr := ""
	for rest := strings.TrimPrefix(text, "/"); rest != ""; {
		before, field, after, err := CutField(rest)
		if err != nil {
			return p, err
		}
		expr += strings.ReplaceAll(regexp.QuoteMeta(before), `\*`, "[^/]*")
		if slices.Contains(p.fields, field) {
			return p, fmt.Errorf("%q has {%s} twice; write * instead of one of the two fields", text, field)
		}
		if field != "" {
			expr += "([^/]+?)"
			p.fields = append(p.fields, field)
		}
		rest = after
	}
	if expr == "" {
		return p, fmt.Errorf("%q names no file; write the end of a path, such as {host}/*.csv", text)
	}
	end, err := regexp.Compile("(?:^|/)" + expr + `(?:\.gz|\.zst|\.xz)?$`)
	if err != nil {
		return p, fmt.Errorf("%q is too long or is not text; correct the pattern: %w", text, err)
	}
	p.end = end
	return p, nil
}

// Match returns the fields of a path, which must be written with slashes.
func (p *Pattern) Match(path string) (fields map[string]string, ok bool) {
	found := p.end.FindStringSubmatch(path)
	if found == nil {
		return nil, false
	}
	fields = make(map[string]string, len(p.fields))
	for i, field := range p.fields {
		fields[field] = found[i+1]
	}
	return fields, true
}

// Patterns is a list of alternatives. A path has the fields of the first pattern that matches.
type Patterns []Pattern

// Match returns the fields of a path, which must be written with slashes.
func (ps Patterns) Match(path string) (fields map[string]string, ok bool) {
	for i := range ps {
		if fields, ok := ps[i].Match(path); ok {
			return fields, true
		}
	}
	return nil, false
}

func (ps Patterns) String() string {
	var texts []string
	for _, p := range ps {
		texts = append(texts, p.text)
	}
	return strings.Join(texts, " or ")
}
