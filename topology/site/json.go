package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
)

// A Document is a JSON object or array within a text.
type Document struct {
	First, Last int // lines
	Raw         json.RawMessage
	text        *Text
	keys        map[string]bool // keys of the object, or of the first object of a list
}

// JSON returns the documents among the lines that no parser has claimed. broken are notes about
// documents that end too soon or are not valid JSON.
func (t *Text) JSON() (documents []Document, broken []Note) {
	if !t.searched {
		t.searched = true
		t.searchJSON()
	}
	for _, d := range t.documents {
		if !t.used[d.First] {
			documents = append(documents, d)
		}
	}
	return documents, t.broken
}

func (t *Text) searchJSON() {
	for i := 0; i < len(t.lines); i++ {
		if !opensJSON(strings.TrimSpace(t.Line(i))) {
			continue
		}
		d, note, last := t.documentAt(i)
		switch {
		case d != nil:
			t.documents = append(t.documents, *d)
		case note != nil:
			t.broken = append(t.broken, *note)
		}
		i = max(i, last)
	}
}

// opensJSON reports whether a line may begin a document: "{", "[", `{"a": 1`.
func opensJSON(line string) bool {
	if line == "" || line[0] != '{' && line[0] != '[' {
		return false
	}
	rest := strings.TrimLeft(line[1:], " \t[{")
	return rest == "" || rest[0] == '"' || rest[0] == ']' || rest[0] == '}'
}

// documentAt reads the document that begins at a line.
func (t *Text) documentAt(first int) (d *Document, broken *Note, last int) {
	var text bytes.Buffer
	starts := []int{}
	for i := first; i < len(t.lines) && !t.used[i]; i++ {
		starts = append(starts, text.Len())
		text.WriteString(t.lines[i])
		text.WriteByte('\n')
	}
	lineOf := func(offset int64) int {
		n := 0
		for n+1 < len(starts) && int64(starts[n+1]) <= offset {
			n++
		}
		return first + n
	}
	decoder := json.NewDecoder(bytes.NewReader(text.Bytes()))
	var raw json.RawMessage
	err := decoder.Decode(&raw)
	if err == nil {
		last = lineOf(decoder.InputOffset() - 1)
		return &Document{first, last, raw, t, keysOf(raw)}, nil, last
	}
	at := lineOf(int64(text.Len()))
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		at = lineOf(syntax.Offset - 1)
	}
	return nil, &Note{t.At(first), "the JSON is incomplete or damaged at line " + number(t.At(at).Line) + "; give the output of the tool again"}, at
}

// Into decodes the document into v if it has all keys, or is a list of objects that have them. It
// reports whether it decoded the document. Fields of another type than in v stay empty.
func (d *Document) Into(v any, keys ...string) bool {
	if !d.has(keys) {
		return false
	}
	err := json.Unmarshal(d.Raw, v)
	var mismatch *json.UnmarshalTypeError
	return err == nil || errors.As(err, &mismatch)
}

func (d *Document) has(keys []string) bool {
	for _, key := range keys {
		if !d.keys[key] {
			return false
		}
	}
	return d.keys != nil
}

func keysOf(object json.RawMessage) map[string]bool {
	if bytes.HasPrefix(bytes.TrimSpace(object), []byte("[")) {
		var list []json.RawMessage
		if json.Unmarshal(object, &list) != nil || len(list) == 0 {
			return nil
		}
		object = list[0]
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(object, &fields) != nil {
		return nil
	}
	keys := make(map[string]bool, len(fields))
	for key := range fields {
		keys[key] = true
	}
	return keys
}

// Claim claims the lines of the document.
func (d *Document) Claim() { d.text.Claim(d.First, d.Last) }

// At returns the place at which the document begins.
func (d *Document) At() At { return d.text.At(d.First) }

// A Value is a string, a number or a boolean of JSON, as text; null is empty. Tools change the
// types of fields between versions.
type Value string

// UnmarshalJSON accepts any value; a list or an object gives an empty Value.
func (v *Value) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case json.Unmarshal(data, &text) == nil:
		*v = Value(strings.TrimSpace(text))
	case len(data) > 0 && (data[0] == '{' || data[0] == '['):
		*v = ""
	default:
		*v = Value(data)
	}
	return nil
}

func (v Value) String() string { return string(v) }
