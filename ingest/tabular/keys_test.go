package tabular

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestKeys: a number is asked for once of each text that it hangs on, and again
// where the path is part of it.
func TestKeys(t *testing.T) {
	tests := map[string]struct {
		drive  string
		fields []string
		want   []string // in the rows of both files
		asked  []string
		ofMany bool
	}{
		"a column":      {"{slot}", []string{"slot"}, []string{"1", "2", "1", "1", "2", "1"}, []string{"1", "2"}, false},
		"a path":        {"{host}", []string{"host"}, []string{"h1", "h1", "h1", "h2", "h2", "h2"}, []string{"h1", "h2"}, false},
		"both":          {"{host}/{slot}", []string{"host", "slot"}, []string{"h1/1", "h1/2", "h1/1", "h2/1", "h2/2", "h2/1"}, []string{"h1/1", "h1/2", "h2/1", "h2/2"}, false},
		"three columns": {"{rack}.{shelf}.{slot}", []string{"rack", "shelf", "slot"}, []string{"r.s.1", "r.s.2", "q.s.1", "r.s.1", "r.s.2", "q.s.1"}, []string{"r.s.1", "r.s.2", "q.s.1"}, true},
	}
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("rack,shelf,slot\nr,s,1\nr,s,2\nq,s,1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for title, tt := range tests {
		name := func(value func(string) string) string {
			out := tt.drive
			for _, field := range []string{"host", "rack", "shelf", "slot"} {
				if strings.Contains(out, "{"+field+"}") {
					out = strings.ReplaceAll(out, "{"+field+"}", value(field))
				}
			}
			return out
		}
		var asked, got []string
		n := NewKeys(tt.fields, func(value func(string) string) int32 {
			asked = append(asked, name(value))
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
		if !slices.Equal(got, tt.want) || !slices.Equal(asked, tt.asked) || n.DependsOnSeveral() != tt.ofMany {
			t.Errorf("%s: %q, asked for %q, of many %v", title, got, asked, n.DependsOnSeveral())
		}
	}
}

// numbers reads a file of one block.
func numbers(t *testing.T, k *Keys, path string) []int32 {
	t.Helper()
	f, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	wants := k.AppendWants([]Want{{Column: "slot", Type: Number}}, Text)
	r, err := f.Read(0, wants, watch(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b Block
	if err := r.Next(&b); err != nil {
		t.Fatal(err)
	}
	return k.Numbers(nil, &b)
}

func TestTooManyKeys(t *testing.T) {
	if err := NewKeys(strings.Split("abcdefghi", ""), nil).Begin(nil); err == nil || !strings.Contains(err.Error(), "use at most 8") {
		t.Errorf("got %v", err)
	}
}

// TestKeysWithoutNames leaves out rows without a required name, by the words of
// whoever asks, and numbers those that lack another text.
func TestKeysWithoutNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("slot,model\n1,X\nNA,X\n,X\n2,\n2,NA\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for title, tt := range map[string]struct {
		fields, required, want []string
	}{
		"both required":   {[]string{"slot", "model"}, nil, []string{"1X"}},
		"one of them":     {[]string{"slot", "model"}, []string{"slot"}, []string{"1X", "2", "2NA"}},
		"one, required":   {[]string{"slot"}, nil, []string{"1", "2", "2"}},
		"one, may be not": {[]string{"model"}, []string{"slot"}, []string{"X", "X", "X", "", "NA"}},
	} {
		var asked, got []string
		k := NewKeys(tt.fields, func(value func(string) string) int32 {
			text := ""
			for _, field := range tt.fields {
				text += value(field)
			}
			asked = append(asked, text)
			return int32(len(asked) - 1)
		})
		k.ByRow, k.Required, k.IsName = true, tt.required, func(text string) bool { return !IsMissing(text) }
		if err := k.Begin(nil); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := f.Read(0, k.AppendWants(nil, Text), watch(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		var b Block
		if err := r.Next(&b); err != nil {
			t.Fatal(err)
		}
		for _, n := range k.Numbers(nil, &b) {
			got = append(got, asked[n])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", title, got, tt.want)
		}
		r.Close()
		f.Close()
	}
}
