package yamlfile

import (
	"strings"
	"testing"
	"time"
)

// TestMistakes reads a small file the way its users do, and expects every
// mistake on its line.
func TestMistakes(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"good":        {"name: a\nkind: x\n", nil},
		"empty":       {"", []string{"f:1: the file is empty; write at least name:"}},
		"unknown key": {"name: a\nknd: x\n", []string{`f:2: the setting "knd" is unknown in a file; did you mean kind?`}},
		"far from any key": {
			"name: a\ncolour: x\n",
			[]string{`f:2: the setting "colour" is unknown in a file; the known settings are name, kind, list`},
		},
		"twice":        {"name: a\nname: b\n", []string{"f:2: the key \"name\" is listed twice, first in line 1; remove one of the two"}},
		"no value":     {"name:\n", []string{`f:1: the setting "name" has no value`}},
		"elsewhere":    {"name: a\nsize: 3\n", []string{`f:2: the setting "size" is unknown in a file; write it into the section disk, or into an array`}},
		"missing":      {"kind: x\n", []string{`f:1: the setting "name" is missing; add this setting`}},
		"choice":       {"name: a\nkind: z\n", []string{`f:2: "z" is not possible here; write x or y`}},
		"not a word":   {"name: [a]\n", []string{"f:1: a single value is needed here"}},
		"empty list":   {"name: a\nlist: []\n", []string{"f:2: the list is empty"}},
		"not a map":    {"- a\n", []string{"f:1: a file must have lines of the form \"key: value\"", "f:1: the setting \"name\" is missing"}},
		"alias":        {"name: &n a\nkind: *n\n", []string{"f:2: alias *n is not supported"}},
		"two files":    {"name: a\n---\nname: b\n", []string{"f:2: a second YAML document begins here"}},
		"syntax":       {"name: a\nkind: {x\n", []string{"f:2: a value begins with { and has no }"}},
		"both at once": {"nam: a\nkind: z\n", []string{`f:1: the setting "nam" is unknown in a file`, "f:1: the setting \"name\" is missing", `f:2: "z" is not possible`}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d := New("f")
			read(d, tt.text)
			if err := d.Err(); len(tt.want) == 0 && err != nil || len(tt.want) != d.Mistakes() {
				t.Fatalf("%d mistakes, want %d:\n%v", d.Mistakes(), len(tt.want), err)
			}
			for _, want := range tt.want {
				if !strings.Contains(d.Err().Error(), want) {
					t.Errorf("got %v\nwant %s", d.Err(), want)
				}
			}
		})
	}
}

func read(d *Decoder, text string) {
	root := d.Root([]byte(text), "name:")
	if root == nil {
		return
	}
	f := d.Fields(root, "a file", "name", "kind", "list")
	d.Required(root, f, "name")
	d.Text(f["name"])
	d.Choice(f["kind"], "x", "y")
	d.Fields(nil, "disk", "size", "model", "name")
	d.Fields(nil, "an array", "size", "model", "name")
	if f["list"] != nil {
		d.Texts(f["list"])
	}
}

func TestExplainPointsAtThePlace(t *testing.T) {
	d := New("f")
	read(d, "name: a\n  \nkind: z\n")
	want := "f:3: \"z\" is not possible here; write x or y\n    3 | kind: z\n      |       ^"
	if got := Explain(d.Err()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add("name: a\nkind: x\nlist: [a, b]\n")
	f.Add("name: {\n")
	f.Fuzz(func(t *testing.T, text string) {
		d := New("f")
		read(d, text)
		if err := d.Err(); err != nil && Explain(err) == "" {
			t.Error("a mistake without words")
		}
	})
}

// TestLongFile: a mistake at the end of a long file is
// found without reading it all again for each line.
func TestLongFile(t *testing.T) {
	begin := time.Now()
	d := New("f")
	read(d, strings.Repeat("name: a # and so on\n", maxSize/80)+"kind: {x\n")
	once := time.Since(begin)
	if err := d.Err(); err == nil || !strings.Contains(err.Error(), "has no } at its end; add }") || once > time.Minute {
		t.Errorf("after %v: %.200s", once, err)
	}
	d = New("f")
	read(d, strings.Repeat("x", maxSize+1))
	if err := d.Err(); err == nil || !strings.Contains(err.Error(), "the file has more than 4194304 bytes; name the YAML file, not the data") {
		t.Errorf("got %.200s", err)
	}
}
