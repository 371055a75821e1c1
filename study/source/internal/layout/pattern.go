package layout

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A Template is text with fields in it: "{host}/{disk_id}". A word without
// braces is the field of that name.
type Template []templatePart

type templatePart struct {
	text  string // before the field
	field string // empty at the end
}

func parseTemplate(text string) (Template, error) {
	if text == "" {
		return nil, fmt.Errorf("the text is empty; write a column, or a {field} of a column or the path")
	}
	if !strings.ContainsAny(text, "{}") {
		return Template{{field: text}}, nil
	}
	var t Template
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

// Fields are those that the template names, each once.
func (t Template) Fields() []string {
	var fields []string
	for _, p := range t {
		if p.field != "" && !slices.Contains(fields, p.field) {
			fields = append(fields, p.field)
		}
	}
	return fields
}

// Fill puts values in the place of fields.
func (t Template) Fill(value func(field string) string) string {
	if len(t) == 1 && t[0].text == "" {
		return value(t[0].field)
	}
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
	expr := ""
	for rest := strings.TrimPrefix(text, "/"); rest != ""; {
		before, field, after, err := cutField(rest)
		if err != nil {
			return p, err
		}
		expr += strings.ReplaceAll(regexp.QuoteMeta(before), `\*`, "[^/]*")
		if slices.Contains(p.fields, field) {
			return p, fmt.Errorf("%q has {%s} twice; write * for one of them", text, field)
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
	end, err := regexp.Compile("(?:^|/)" + expr + `(?:\.gz|\.zst)?$`)
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
