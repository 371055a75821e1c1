package tabular

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// node is the value of a key, with the decoder that read it.
func node(t testing.TB, text string) (Decoder, *yaml.Node) {
	t.Helper()
	d := NewDecoder("t.yaml")
	root := d.Root([]byte("key: "+text+"\n"), "key:")
	if root == nil {
		return d, nil
	}
	return d, d.Fields(root, "a test", "key")["key"]
}

func TestTemplate(t *testing.T) {
	value := func(field string) string { return "<" + field + ">" }
	for in, want := range map[string]string{
		`"{host}/{disk}"`:  "<host>/<disk>",
		"host":             "<host>",
		"disk id":          "<disk id>",
		`"{host}"`:         "<host>",
		"a{b}c":            "a<b>c",
		`"{disk id}{x}"`:   "<disk id><x>",
		"{text: all}":      "all",
		`{text: "{host}"}`: "{host}",
	} {
		d, n := node(t, in)
		got := d.ReadTemplate(n)
		if err := d.Err(); err != nil || got.Fill(value) != want {
			t.Errorf("%s gives %s, want %s; %v", in, got.Fill(value), want, err)
		}
	}
}

func TestTemplateMistakes(t *testing.T) {
	for in, want := range map[string]string{
		`""`: "the text is empty", "{host}": "a single value is needed here; put the value in quotes", `"{host"`: "has a { without", "{text: all}": `the text "all" would be the same for all lines`,
		"{text: all, column: x}": `the setting "column" is unknown in a name`, "[a]": "a single value is needed here",
	} {
		d, n := node(t, in)
		d.ReadVarying(n)
		if err := d.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

func TestReadTime(t *testing.T) {
	for in, want := range map[string]string{
		"ts":                         "ts Unix seconds or RFC 3339 ",
		"{column: ts}":               "ts Unix seconds or RFC 3339 ",
		"{column: ts, format: unix}": "ts unix ",
		"{column: ts, format: '%a %D %T', zone: Europe/Berlin, marks: end}": "ts %a %D %T end",
		"{marks: begin}": "usual Unix seconds or RFC 3339 begin",
	} {
		d, n := node(t, in)
		got := d.ReadTime(n, "usual")
		if text := fmt.Sprint(got.Column, " ", got.Clock.Format(), " ", got.Marks); text != want || d.Err() != nil {
			t.Errorf("%s: %q, want %q; %v", in, text, want, d.Err())
		}
	}
	d, n := node(t, "{format: unix}")
	if d.ReadTime(n, ""); d.Err() == nil || !strings.Contains(d.Err().Error(), `t.yaml:1: the setting "column" is missing`) {
		t.Errorf("no column: %v", d.Err())
	}
}

func FuzzDescription(f *testing.F) {
	for _, seed := range []string{"ts", "{text: a}", "[a, b]", "'{a}/{b}'", "{column: a, format: '%Y', zone: UTC, marks: end}", "tab"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, n := node(t, text)
		if n == nil {
			return
		}
		d.readFiles(n)
		d.readSeparator(n)
		d.ReadTime(n, "time")
		if template := d.ReadVarying(n); d.Mistakes() == 0 && len(template.Fields()) == 0 {
			t.Errorf("%q is taken for a name and is the same for all", text)
		}
	})
}
