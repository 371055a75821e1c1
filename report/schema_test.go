package report

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/engine/finding"
)

// schema is the part of JSON Schema that docs/report.schema.json uses.
type schema struct {
	Ref        string             `json:"$ref"`
	Type       any                `json:"type"`
	Format     string             `json:"format"`
	Const      any                `json:"const"`
	Enum       []any              `json:"enum"`
	Required   []string           `json:"required"`
	Properties map[string]*schema `json:"properties"`
	Closed     *bool              `json:"additionalProperties"`
	Items      *schema            `json:"items"`
	Defs       map[string]*schema `json:"$defs"`
}

func readSchema(t *testing.T) *schema {
	t.Helper()
	data, err := os.ReadFile(checkout.Path(t, "docs/report.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	s := &schema{}
	if err := json.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// typeOf names the JSON type of a value.
func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		if v == float64(int64(v)) {
			return "integer"
		}
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

// check says where a value is not as the schema has it.
func (s *schema) check(root *schema, path string, v any) []string {
	if s.Ref != "" {
		return root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")].check(root, path, v)
	}
	var wrong []string
	fail := func(format string, args ...any) { wrong = append(wrong, path+": "+fmt.Sprintf(format, args...)) }
	if kind := typeOf(v); s.Type != nil && !s.allows(kind) {
		fail("%s, want %v", kind, s.Type)
	}
	if s.Const != nil && v != s.Const {
		fail("%v, want %v", v, s.Const)
	}
	if s.Enum != nil && !slices.Contains(s.Enum, v) {
		fail("%v, want one of %v", v, s.Enum)
	}
	if text, ok := v.(string); ok && s.Format == "date-time" {
		if at, err := time.Parse(time.RFC3339, text); err != nil || at.Location() != time.UTC || at.Year() < 2000 {
			fail("%q is no time in UTC", text)
		}
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			if s.Items != nil {
				wrong = append(wrong, s.Items.check(root, fmt.Sprintf("%s[%d]", path, i), v[i])...)
			}
		}
	case map[string]any:
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				fail("lacks %s", name)
			}
		}
		for name, value := range v {
			if p := s.Properties[name]; p != nil {
				wrong = append(wrong, p.check(root, path+"."+name, value)...)
			} else if s.Closed != nil && !*s.Closed {
				fail("has %s, which is not described", name)
			}
		}
	}
	return wrong
}

func (s *schema) allows(kind string) bool {
	var types []any
	switch t := s.Type.(type) {
	case string:
		types = []any{t}
	case []any:
		types = t
	}
	return slices.Contains(types, any(kind)) || kind == "integer" && slices.Contains(types, any("number"))
}

// Every document is as docs/report.schema.json says.
func TestJSONIsAsDescribed(t *testing.T) {
	root := readSchema(t)
	for _, lists := range []bool{false, true} {
		var doc any
		if err := json.Unmarshal([]byte(newWorld(t, site, lists).run()["json"]), &doc); err != nil {
			t.Fatal(err)
		}
		for _, wrong := range root.check(root, "document", doc) {
			t.Error(wrong)
		}
		broken := doc.(map[string]any)
		broken["version"], broken["extra"] = 2.0, true
		delete(broken, "incidents")
		if wrong := root.check(root, "document", doc); len(wrong) != 3 {
			t.Errorf("a broken document passes: %q", wrong)
		}
	}
}

// The schema and the formats document know every kind, and every field is
// described for people.
func TestSchemaIsComplete(t *testing.T) {
	root := readSchema(t)
	for _, k := range finding.Kinds() {
		if !slices.Contains(root.Defs["incident"].Properties["kind"].Enum, any(string(k))) {
			t.Errorf("docs/report.schema.json lacks the kind %s", k)
		}
	}
	data, err := os.ReadFile(checkout.Path(t, "docs/formats.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range append([]*schema{root}, root.Defs["incident"], root.Defs["member"], root.Defs["evidence"], root.Defs["ruled_out"]) {
		for name := range s.Properties {
			if !strings.Contains(string(data), "`"+name+"`") {
				t.Errorf("docs/formats.md does not describe the field %s", name)
			}
		}
	}
	for _, name := range csvHeader {
		if !strings.Contains(string(data), "`"+name+"`") {
			t.Errorf("docs/formats.md does not describe the column %s", name)
		}
	}
}
