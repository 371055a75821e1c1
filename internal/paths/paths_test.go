package paths

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes empty files under a new directory and returns it.
func tree(t testing.TB, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPick(t *testing.T) {
	dir := tree(t, "h2/a.csv", "h1/a.csv.xz", "h1/b.csv", "h1/b.parquet", "h1/notes.txt", "h1/.c.csv", "h1/d.csv.part", ".git/e.csv")
	ps := Patterns{}
	for _, text := range []string{"{host}/*.csv", "{host}/*.parquet"} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	names, err := List([]string{dir, filepath.Join(dir, "h1")})
	if err != nil {
		t.Fatal(err)
	}
	found, err := ps.Pick(names, strings.Compare)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found.Files {
		got = append(got, f.Fields["host"]+"/"+filepath.Base(f.Path))
	}
	if want := []string{"h1/a.csv.xz", "h1/b.parquet", "h2/a.csv"}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if len(found.Strange) != 1 || filepath.Base(found.Strange[0]) != "notes.txt" || len(found.Double) != 1 || filepath.Base(found.Double[0]) != "b.csv" {
		t.Errorf("strange %q, double %q", found.Strange, found.Double)
	}
}

func TestStem(t *testing.T) {
	for name, want := range map[string]string{
		"a/events.csv": "events", "events.csv.gz": "events", "events.csv.zst": "events", "events.csv.xz": "events",
		"events.parquet": "events", "events.txt": "", "events": "", "a.b.csv": "a.b",
	} {
		if got := Stem(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestParseMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"": "names no file", "/": "names no file", "{a}/{a}": "has {a} twice", "{a": "has a { without", "a}": "has a } without", "{}": "has a { without",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse takes any text for a pattern: an error, or one that gives all of
// its fields where it matches.
func FuzzParse(f *testing.F) {
	f.Add("{cluster}/{host}/*.csv", "/data/A/h7/1.csv.gz")
	f.Add("a*{b}", "a/ab")
	f.Fuzz(func(t *testing.T, text, path string) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		if fields, ok := p.Match(path); ok && len(fields) != len(p.fields) {
			t.Errorf("%q on %q gives %v", text, path, fields)
		}
	})
}
