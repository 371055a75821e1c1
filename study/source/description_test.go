package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/yamlfile"
	"github.com/limpet-storage/limpet/study"
)

func TestParseMistakes(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"unknown key":        {"latncy: x\n", `f:1: the setting "latncy" is unknown in a description file of drive records; did you mean latency?`},
		"unit":               {"latency: {column: l, unit: h}\n", `f:1: unit "h" is unknown; write one of ms, ns, s, us, µs`},
		"unit of requests":   {"ios: {column: l, unit: 1/h}\n", `f:1: unit "1/h" is unknown; write one of 1/s, count`},
		"no column":          {"\nlatency: {unit: us}\n", `f:2: the setting "column" is missing; add this setting`},
		"zone":               {"time:\n  column: t\n  zone: Mars/Olympus\n", `f:2: time zone "Mars/Olympus" is unknown`},
		"format":             {"time: {column: t, format: \"%H\"}\n", "lacks year, month or day"},
		"marks":              {"time: {column: t, marks: middle}\n", `f:1: "middle" is not possible here; write begin or end`},
		"separator":          {"separator: x\n", `f:1: separator "x" is unknown`},
		"template":           {"group: \"{host\"\n", "f:1: \"{host\" has a { without a name or without a }"},
		"template, constant": {"group: \"}\"\n", "f:1: \"}\" has a } without a {"},
		"text, the same":     {"group: {text: all}\n", `f:1: the text "all" would be the same for all lines`},
		"pattern":            {"files: \"{a}/{a}.csv\"\n", "has {a} twice"},
		"kind":               {"kind: tape\n", `f:1: "tape" is not possible here; write disk or ssd`},
		"reads alone":        {"reads: {ios: r, latency: l}\n", "f:1: the latency of all I/O cannot be computed, because \"writes\" has no setting \"ios\""},
		"no counts":          {"reads: {latency: l}\nwrites: {ios: w, latency: l}\n", "f:1: the latency of all I/O cannot be computed, because \"reads\" has no setting \"ios\""},
		"reads, no latency":  {"latency: l\nreads: {ios: r}\n", `f:2: the setting "latency" is missing; add this setting`},
		"event":              {"events: {words: {exploded: x}}\n", `f:1: "exploded" is not a known event`},
		"event key":          {"events: {tme: x}\n", "did you mean time?"},
		"inventory key":      {"inventory: {modl: x}\n", "did you mean model?"},
		"role":               {"role: {parity: [P]}\n", `f:1: the setting "column" is missing; add this setting`},
		"empty":              {"", "f:1: the file is empty"},
		"list":               {"- a\n", "must have lines of the form \"key: value\""},
	}
	for name, tt := range tests {
		_, err := parse("f", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestParse(t *testing.T) {
	d, err := parse("f", []byte(`
role: {column: part, parity: [P, Q]}
time: when
latency: {column: await, unit: ms}
reads: {ios: {column: r, unit: 1/s}, latency: rl}
kind: disk
`))
	if err != nil {
		t.Fatal(err)
	}
	if d.Time.Column != "when" || d.RoleOf("Q") != study.Parity || d.RoleOf("parity") != study.Data || d.RoleColumn(nil) != "part" || d.Kind != study.Disk {
		t.Errorf("%+v", d)
	}
	all, reads := d.Measures[study.All], d.Measures[study.Reads]
	if all.Latency != (Quantity{Column: "await", Scale: 1000}) || all.IOs.Column != "" || reads.IOs != (Quantity{Column: "r", Scale: 3600, Rate: true}) {
		t.Errorf("%+v, %+v", all, reads)
	}
	if !slices.Equal(d.Directions(), []study.Direction{study.All, study.Reads}) {
		t.Errorf("%v", d.Directions())
	}
	usual := defaultDescription()
	if m := usual.Measures[study.All]; m.Latency.Column != "latency_us" || !m.IOs.Assumed || usual.RoleColumn([]string{"role"}) != "role" || usual.RoleColumn(nil) != "" {
		t.Errorf("%+v", usual)
	}
}

func TestFind(t *testing.T) {
	tests := map[string]struct {
		files   []string
		pattern string
		want    string // records, inventory, events, strange, double
	}{
		"a fleet":         {[]string{"records/1.parquet", "inventory.csv", "events.parquet", "truth.yaml"}, "", "records/1.parquet|inventory.csv|events.parquet||"},
		"both formats":    {[]string{"records/1.parquet", "records/1.csv", "inventory.csv", "inventory.parquet"}, "", "records/1.parquet|inventory.parquet|||records/1.csv"},
		"flat":            {[]string{"2.csv.gz", "10.csv", "1.csv.zst", "inventory.csv.gz", "events.csv"}, "", "1.csv.zst 2.csv.gz 10.csv|inventory.csv.gz|events.csv||"},
		"one of a kind":   {[]string{"records.csv", "inventory.csv"}, "", "records.csv|inventory.csv|||"},
		"strange":         {[]string{"a.csv", "a.txt", ".b.csv", ".c/d.csv"}, "", "a.csv|||a.txt|"},
		"by the path":     {[]string{"x/h1/a.csv", "x/h2/b.csv", "c.csv"}, "x/{host}/*.csv", "x/h1/a.csv x/h2/b.csv|||c.csv|"},
		"same, elsewhere": {[]string{"a/1.csv", "b/1.parquet"}, "", "a/1.csv b/1.parquet||||"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, file := range tt.files {
				path := filepath.Join(dir, file)
				os.MkdirAll(filepath.Dir(path), 0o755)
				os.WriteFile(path, []byte("x"), 0o644)
			}
			d := defaultDescription()
			if tt.pattern != "" {
				d, _ = parse("f", []byte("files: \""+tt.pattern+"\""))
			}
			f, err := d.Find([]string{dir, dir + "/"})
			if err != nil {
				t.Fatal(err)
			}
			var records []string
			for _, r := range f.Files {
				records = append(records, r.Path)
				if tt.pattern != "" && !strings.Contains(r.Path, r.Fields["host"]) {
					t.Errorf("%s has %v", r.Path, r.Fields)
				}
			}
			var parts []string
			for _, list := range [][]string{records, f.Inventory, f.Events, f.Strange, f.Double} {
				parts = append(parts, strings.ReplaceAll(strings.Join(slices.Compact(list), " "), dir+"/", ""))
			}
			if got := strings.Join(parts, "|"); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("time: {column: t, zone: Europe/Berlin}\nreads: {ios: r, latency: {column: l, unit: ms}}\n")
	f.Add("files: [\"{a}/*.csv\"]\ngroup: \"{a}-{b}\"\nevents: {words: {unplugged: x}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parse("f", []byte(text))
		if err != nil && yamlfile.Explain(err) == "" {
			t.Error("a mistake without words")
		}
		if err == nil && (d.Time.Clock == nil || d.Time.Column == "" || len(d.Group.Fields()) == 0 || len(d.Drive.Fields()) == 0) {
			t.Errorf("taken, and is %+v", d)
		}
	})
}
