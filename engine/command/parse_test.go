package command

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/limpet-storage/limpet/topology"
)

const site = `
servers: fs[1-4]
arrays:
  - names: ddn[1-2]
    servers_per_array: 2
    luns: 0-3
    priority: rotate
    controllers: {a: 1, b: 2}
    devices: sd[b-e]
`

func system(tb testing.TB) *topology.System {
	tb.Helper()
	s, _, err := topology.Parse("site.yaml", []byte(site))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func TestParse(t *testing.T) {
	s := system(t)
	text := `# repairs
2011-05-18T00:30Z resolve ddn1    # all that hangs on it
   # indented

2011-05-18T00:10:00Z mute fs4
2011-05-18 09:00:00+02:00 unmute 2.3.4#again
2011-05-18 00:40Z comment   fs1/sdb  ticket  #4711 # not cut
2011-05-18T00:30:00Z mute 1:*`
	all, err := Parse("feedback", strings.NewReader(text), s)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{ // in order of time
		`00:10 mute fs4 ""`, `00:30 resolve ddn1 ""`, `00:30 mute 1:* ""`,
		`00:40 comment fs1/sdb "ticket #4711 # not cut"`, `07:00 unmute 2.3.4 ""`,
	}
	for i, f := range all {
		got := fmt.Sprintf("%s %s %s %q", time.Unix(f.Time, 0).UTC().Format("15:04"), f.Verb, f.Name, f.Text)
		if i >= len(want) || got != want[i] || !slices.Equal(f.Components, names(s, s.Match(f.Name))) {
			t.Errorf("%d: %s", i, got)
		}
	}
}

func names(s *topology.System, components []int) (list []string) {
	for _, c := range components {
		list = append(list, s.Components[c].Name)
	}
	return list
}

// TestIn: a component that another system does not have is left out.
func TestIn(t *testing.T) {
	s := system(t)
	c := Command{Components: []string{"2.3.4", "gone", s.Components[1].Name}}
	want, _ := s.Lookup("2.3.4")
	if got := c.Numbers(s); !slices.Equal(got, []int{want, 1}) {
		t.Errorf("components %v, want %v", got, []int{want, 1})
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	text := `2011-05-18T00:30:00Z resolve ddn1
yesterday resolve ddn1
2011-05-18T00:30:00Z fixed ddn1
2011-05-18T00:30:00Z mute fs9
resolve ddn1
2011-05-18T00:30:00Z comment fs1
2011-05-18T00:30:00Z mute fs1 fs2
` + strings.Repeat("x", 3*maxLineBytes) + `
2011-05-18T00:30:00Z mute ddn2`
	all, err := Parse("f", strings.NewReader(text), system(t))
	if len(all) != 2 {
		t.Errorf("%d good lines kept, want 2", len(all))
	}
	want := []string{"f:2: time", "f:3: command", "f:4: no component", "f:5: ", "f:6: ", "f:7: ", "f:8: the line has more than 4096 bytes"}
	lines := strings.Split(fmt.Sprint(err), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d errors, want %d: %v", len(lines), len(want), err)
	}
	for i, begin := range want {
		if !strings.HasPrefix(lines[i], begin) {
			t.Errorf("%q, want %q", lines[i], begin)
		}
	}
}

// TestBounds: an endless file is not read to its end, and a file that cannot be read
// gives the reason.
func TestBounds(t *testing.T) {
	endless := iotest.DataErrReader(io.MultiReader(strings.NewReader("2011-05-18T00:30:00Z mute fs1\n"), zeros{}))
	all, err := Parse("f", endless, system(t))
	if len(all) != 1 || err == nil || !strings.Contains(err.Error(), "f: the file has more than 64 MB") {
		t.Errorf("%d lines, %v", len(all), err)
	}
	broken := errors.New("unplugged")
	all, err = Parse("f", io.MultiReader(strings.NewReader("2011-05-18T00:30:00Z mute fs1\n"), iotest.ErrReader(broken)), system(t))
	if len(all) != 1 || !errors.Is(err, broken) {
		t.Errorf("%d lines, %v", len(all), err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestManyLines: the time grows in proportion to the lines, whether names repeat, are new
// in every line, or are wrong.
func TestManyLines(t *testing.T) {
	s := &topology.System{}
	for i := range 10_000 {
		s.Components = append(s.Components, topology.Component{Name: fmt.Sprintf("oss-%d", i), Group: 1})
	}
	// Both sides take about as long where the time grows with the lines, and the long
	// text takes ten times as long where it grows with their square. Other work on the
	// machine may slow one side down, so that the comparison is made up to ten times.
	var short, long time.Duration
	for range 10 {
		begin := time.Now()
		for range 10 {
			manyLines(t, s, 10_000)
		}
		short = time.Since(begin)
		begin = time.Now()
		manyLines(t, s, 100_000)
		if long = time.Since(begin); long < 4*short {
			return
		}
	}
	t.Errorf("100,000 lines at once took %v, in ten files %v", long, short)
}

func manyLines(t *testing.T, s *topology.System, lines int) {
	t.Helper()
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, "2011-05-18T00:30:00Z mute 1:oss-%d\n", i%(lines/2))
	}
	all, err := Parse("f", strings.NewReader(text.String()), s)
	if good := 20_000; lines > good && (len(all) != good || strings.Count(err.Error(), "\n") != maxErrors ||
		!strings.HasSuffix(err.Error(), fmt.Sprintf("\nf: %d more lines have errors, which are not shown", lines-good-maxErrors))) {
		t.Errorf("%d good lines", len(all))
	}
}

// TestManyNamed: a file is read up to the line with which its lines stand for too many
// components.
func TestManyNamed(t *testing.T) {
	s := &topology.System{Components: make([]topology.Component, 1<<16)}
	for i := range s.Components {
		s.Components[i].Name, s.Components[i].Server = fmt.Sprint(i), "oss"
	}
	all, err := Parse("f", strings.NewReader(strings.Repeat("2011-05-18T00:30:00Z mute *\n", 1000)), s)
	const want = "f:257: the commands up to this line name more than 16777216 components, which is the limit; name fewer components, or name a whole server instead of its components; the lines after this line were not read"
	if len(all) != 256 || err == nil || err.Error() != want {
		t.Errorf("%d lines, %v", len(all), err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("2011-05-18T00:30:00Z resolve ddn1\n")
	f.Add("2011-05-18T00:30:00Z comment 1:fs[1-2] a #b\n")
	s := system(f)
	f.Fuzz(func(t *testing.T, text string) {
		all, _ := Parse("f", strings.NewReader(text), s)
		for _, w := range all {
			if len(w.Components) == 0 || !slices.Equal(w.Components, names(s, s.Match(w.Name))) || (w.Text != "") != (w.Verb == Comment) {
				t.Errorf("%+v is not what was said", w)
			}
		}
	})
}
