package tabular

import (
	"errors"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/internal/paths"
)

// A Template is a text that contains fields in braces: "{host}/{disk_id}". A text without
// braces is the name of a field: "host" means "{host}".
type Template []templatePart

type templatePart struct {
	text  string // text before the field
	field string // name of the field; empty in the last part if the template ends with text
}

// Field returns the template that consists of one field and no text.
func Field(name string) Template { return Template{{field: name}} }

// aName is the advice to the user in messages about a wrong template.
const aName = "write the name of a column, or text with fields such as {rack}. The field {rack} stands for the value of the column rack, or for a part of the path of the file"

func parseTemplate(text string) (Template, error) {
	if text == "" {
		return nil, errors.New("the text is empty; " + aName)
	}
	if !strings.ContainsAny(text, "{}") {
		return Field(text), nil
	}
	var t Template
	for text != "" {
		before, field, rest, err := paths.CutField(text)
		if err != nil {
			return nil, err
		}
		t = append(t, templatePart{before, field})
		text = rest
	}
	return t, nil
}

// Fields returns the fields of the template, without duplicates.
func (t Template) Fields() []string {
	var fields []string
	for _, p := range t {
		if p.field != "" && !slices.Contains(fields, p.field) {
			fields = append(fields, p.field)
		}
	}
	return fields
}

// Word returns the field of a template that consists of one field and no text. For other templates,
// it returns an empty text.
func (t Template) Word() string {
	if len(t) == 1 && t[0].text == "" {
		return t[0].field
	}
	return ""
}

// Constant returns the template of a text that is the same for all rows.
func Constant(text string) Template { return Template{{text: text}} }

// Fill returns the text of the template, with values in the place of the fields. It calls
// value(field) to get the value of a field.
func (t Template) Fill(value func(field string) string) string {
	if word := t.Word(); word != "" {
		return value(word)
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
