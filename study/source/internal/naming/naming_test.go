package naming

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/study/source/internal/clock"
	"github.com/limpet-storage/limpet/study/source/internal/columns"
	"github.com/limpet-storage/limpet/study/source/internal/layout"
)

// TestNames: a name is asked for once of each text that it hangs on, and again
// where the path is part of it.
func TestNames(t *testing.T) {
	tests := map[string]struct {
		drive  string
		want   []string // in the rows of both files
		asked  []string
		ofMany bool
	}{
		"a column":      {"slot", []string{"1", "2", "1", "1", "2", "1"}, []string{"1", "2"}, false},
		"a path":        {"{host}", []string{"h1", "h1", "h1", "h2", "h2", "h2"}, []string{"h1", "h2"}, false},
		"both":          {"{host}/{slot}", []string{"h1/1", "h1/2", "h1/1", "h2/1", "h2/2", "h2/1"}, []string{"h1/1", "h1/2", "h2/1", "h2/2"}, false},
		"three columns": {"{rack}.{shelf}.{slot}", []string{"r.s.1", "r.s.2", "q.s.1", "r.s.1", "r.s.2", "q.s.1"}, []string{"r.s.1", "r.s.2", "q.s.1"}, true},
	}
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("rack,shelf,slot\nr,s,1\nr,s,2\nq,s,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, tt := range tests {
		d, err := layout.Parse("test.yaml", []byte("drive: \""+tt.drive+"\""))
		if err != nil {
			t.Fatal(err)
		}
		var asked, got []string
		n := New(d.Drive, func(name string) int32 {
			asked = append(asked, name)
			return int32(len(asked) - 1)
		})
		for _, host := range []string{"h1", "h2"} {
			if err := n.Begin(map[string]string{"host": host}); err != nil {
				t.Fatal(err)
			}
			for _, number := range numbers(t, n, path) {
				got = append(got, asked[number])
			}
		}
		if !slices.Equal(got, tt.want) || !slices.Equal(asked, tt.asked) || n.OfMany() != tt.ofMany {
			t.Errorf("%s: %q, asked for %q, of many %v", name, got, asked, n.OfMany())
		}
	}
}

// numbers reads a file of one block.
func numbers(t *testing.T, n *Naming, path string) []int32 {
	t.Helper()
	f, err := columns.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := clock.New("", "")
	if err != nil {
		t.Fatal(err)
	}
	wants := n.Wants([]columns.Want{{Column: "slot", As: columns.Number}}, columns.Text)
	r, err := f.Read(0, wants, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b columns.Block
	if err := r.Next(&b); err != nil {
		t.Fatal(err)
	}
	return n.Numbers(nil, &b)
}

func TestTooMany(t *testing.T) {
	d, err := layout.Parse("test.yaml", []byte(`drive: "{a}{b}{c}{d}{e}"`))
	if err != nil {
		t.Fatal(err)
	}
	if err := New(d.Drive, nil).Begin(nil); err == nil || !strings.Contains(err.Error(), "make it of 4 at most") {
		t.Errorf("got %v", err)
	}
}
