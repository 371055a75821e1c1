package topology

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/yamlfile"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file of testdata.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got:\n%s", file, got)
	}
}

// example reads a file of ../examples.
func example(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "examples", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// mustParse parses a file that has no mistakes and no warnings.
func mustParse(t testing.TB, name string, data []byte) *System {
	t.Helper()
	system, warnings, err := Parse(name, data)
	if err != nil {
		t.Fatalf("%s", yamlfile.Explain(err))
	}
	if len(warnings) > 0 {
		t.Fatalf("warnings: %v", warnings)
	}
	return system
}

func intrepid(t testing.TB) *System {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "intrepid.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return mustParse(t, "intrepid.yaml", data)
}

func TestShow(t *testing.T) {
	for _, name := range []string{"intrepid", "lustre", "jbod"} {
		var out bytes.Buffer
		if err := Show(&out, mustParse(t, name+".yaml", example(t, name))); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".show.golden", out.Bytes())
	}
}

func TestIntrepid(t *testing.T) {
	s := intrepid(t)
	if n := len(s.Components); n != 9216 {
		t.Errorf("%d attachments, want 9,216", n)
	}
	if n := len(s.Groups); n != 16 {
		t.Errorf("%d groups, want 16", n)
	}
	for _, g := range s.Groups {
		want := 768
		if strings.HasSuffix(g.Name, "new") {
			want = 384
		}
		if len(g.Members) != want {
			t.Errorf("group %d (%s) has %d members, want %d", g.ID, g.Name, len(g.Members), want)
		}
	}
	text, err := os.ReadFile(filepath.Join("testdata", "intrepid.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(text, []byte("\n")); lines >= 40 {
		t.Errorf("intrepid.yaml has %d lines, want fewer than 40", lines)
	}
	if !bytes.Equal(text, example(t, "intrepid")) {
		t.Error("testdata/intrepid.yaml and examples/intrepid.yaml differ")
	}
}

// The attachments that L13 prints: with their group in the lists of §4.3, with
// their part in tables 4 to 7 and the text.
func TestIntrepidAttachments(t *testing.T) {
	s := intrepid(t)
	tests := []struct {
		names    string
		priority int
	}{
		{"2:18.61.102 2:15.65.74 2:11.55.48 2:12.48.49 2:16.51.84 2:10.50.35 2:21.56.121 2:19.53.110", 1},
		{"1:6.39.8 1:10.03.36 1:16.30.87", 1},
		{"6.00.1 21.71.128 19.00.105 19.50.107 16.59.84 11.69.46 15.37.78 19.12.109 11.12.45 9.04.29", 1},
		{"14.41.67 18.37.103 21.34.124", 2},
		{"20.00.117", 5},
	}
	for _, tt := range tests {
		for name := range strings.FieldsSeq(tt.names) {
			found := s.Match(name)
			if len(found) != 1 {
				t.Errorf("%s matches %d components, want 1", name, len(found))
				continue
			}
			if got := s.Components[found[0]].Priority; got != tt.priority {
				t.Errorf("%s has priority %d, want %d", name, got, tt.priority)
			}
			if label := s.Label(found[0]); !strings.HasSuffix(label, name) {
				t.Errorf("%s is labelled %s", name, label)
			}
		}
	}
}

func TestIntrepidComponent(t *testing.T) {
	s := intrepid(t)
	i, ok := s.Lookup("21.34.124")
	if !ok {
		t.Fatal("21.34.124 is not there")
	}
	want := Component{
		Name: "21.34.124", Server: "fs124", Device: "sdaj", LUN: "21.34", Controller: "ddn21a", Array: "ddn21",
		Set: "old", Model: "S2A9900", Priority: 2, Group: 3, Line: 16,
	}
	if got := s.Components[i]; got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// What every system keeps to, whatever it was made of.
func checkSystem(t testing.TB, s *System) {
	t.Helper()
	names := make(map[string]bool)
	for _, c := range s.Components {
		if c.Name == "" || names[c.Name] {
			t.Errorf("name %q is empty or comes twice", c.Name)
		}
		names[c.Name] = true
	}
	members := 0
	for i, g := range s.Groups {
		members += len(g.Members)
		if g.ID != i+1 || g.Name == "" || len(g.Members) == 0 {
			t.Errorf("group %d is %+v", i+1, g)
		}
		for j, m := range g.Members {
			if s.Components[m].Group != g.ID || j > 0 && m <= g.Members[j-1] {
				t.Errorf("group %d: member %d of place %d", g.ID, m, j)
			}
		}
	}
	if members != len(s.Components) {
		t.Errorf("%d members of groups, %d components", members, len(s.Components))
	}
}

func TestSystemsAreSound(t *testing.T) {
	for _, name := range []string{"intrepid", "lustre", "jbod"} {
		checkSystem(t, mustParse(t, name, example(t, name)))
	}
}

func BenchmarkParseIntrepid(b *testing.B) {
	data := example(b, "intrepid")
	for b.Loop() {
		if _, _, err := Parse("intrepid.yaml", data); err != nil {
			b.Fatal(err)
		}
	}
}
