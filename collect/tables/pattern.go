package tables

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// cutField cuts the text before the first {field}, the field and the rest;
// field is empty where there is none.
func cutField(text string) (before, field, rest string, err error) {
	before, rest, found := strings.Cut(text, "{")
	if strings.Contains(before, "}") {
		return "", "", "", fmt.Errorf("%q has a } without its {; write fields as {host}", text)
	}
	if !found {
		return before, "", "", nil
	}
	field, rest, found = strings.Cut(rest, "}")
	if !found || field == "" || strings.Contains(field, "{") {
		return "", "", "", fmt.Errorf("%q has a { without a name and its }; write fields as {host}", text)
	}
	return before, field, rest, nil
}

// A template is text with fields in it: "{host}/{disk_id}".
type template []templatePart

type templatePart struct {
	text  string // before the field
	field string // empty at the end
}

func parseTemplate(text string) (template, error) {
	if text == "" {
		return nil, fmt.Errorf("the text is empty; write a name or a {field}")
	}
	var t template
	for text != "" {
		before, field, rest, err := cutField(text)
		if err != nil {
			return nil, err
		}
		t = append(t, templatePart{before, field})
		text = rest
	}
	return t, nil
}

func (t template) fields() []string {
	var fields []string
	for _, p := range t {
		if p.field != "" {
			fields = append(fields, p.field)
		}
	}
	return fields
}

func (t template) fill(value func(field string) string) string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.text)
		if p.field != "" {
			b.WriteString(value(p.field))
		}
	}
	return b.String()
}

// A pathPattern picks files by the ends of their paths and takes fields from
// them: "{host}/*.csv". A field is as short as it can be.
type pathPattern struct {
	text   string
	end    *regexp.Regexp
	fields []string
}

func parsePathPattern(text string) (pathPattern, error) {
	p := pathPattern{text: text}
	expr := "(?:^|/)"
	for rest := strings.TrimPrefix(text, "/"); rest != ""; {
		before, field, after, err := cutField(rest)
		if err != nil {
			return p, err
		}
		expr += strings.ReplaceAll(regexp.QuoteMeta(before), `\*`, "[^/]*")
		if field != "" {
			expr += "([^/]+?)"
			if slices.Contains(p.fields, field) {
				return p, fmt.Errorf("%q has {%s} twice; write * for one of them", text, field)
			}
			p.fields = append(p.fields, field)
		}
		rest = after
	}
	if expr == "(?:^|/)" {
		return p, fmt.Errorf("%q names no file; write the end of a path, such as {host}/*.csv", text)
	}
	end, err := regexp.Compile(expr + `(?:\.gz|\.zst|\.xz)?$`)
	if err != nil {
		return p, fmt.Errorf("%q is too long or no text; shorten it: %w", text, err)
	}
	p.end = end
	return p, nil
}

// match returns the fields of a path, with slashes.
func (p *pathPattern) match(path string) (fields map[string]string, ok bool) {
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
