package topology

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	tests := []struct {
		in   string
		want string // names, or first…last and count
	}{
		{"fs1", "fs1"},
		{"fs[1-4,7]", "fs1 fs2 fs3 fs4 fs7"},
		{"fs[8-11]", "fs8 fs9 fs10 fs11"},
		{"[08-11]", "08 09 10 11"},
		{"08-11", "08 09 10 11"},
		{"0-6/3", "0 3 6"},
		{"fs[1-8/3]", "fs1 fs4 fs7"},
		{"[98-101]", "98 99 100 101"},
		{"[098-101]", "098 099 100 101"},
		{"sd[y-ab]", "sdy sdz sdaa sdab"},
		{"enc[A-C]", "encA encB encC"},
		{"r[1-2]n[1-2]", "r1n1 r1n2 r2n1 r2n2"},
		{"fs[1-2].example.org", "fs1.example.org fs2.example.org"},
		{"fs[1-2], mds1", "fs1 fs2 mds1"},
		{"x[a,c, 07]", "xa xc x07"},
		{"253:[0-2]", "253:0 253:1 253:2"},
		{"a-b", "a-b"},
		{"fs1-4", "fs1-4"},
		{"fs[1-128]", "fs1…fs128 128"},
		{"00-71", "00…71 72"},
		{"sd[b-bu]", "sdb…sdbu 72"},
		{"sd[a-zz]", "sda…sdzz 702"},
	}
	for _, tt := range tests {
		names, err := Expand(tt.in)
		if err != nil {
			t.Errorf("Expand(%q): %v", tt.in, err)
			continue
		}
		got := strings.Join(names, " ")
		if len(names) > 10 {
			got = fmt.Sprintf("%s…%s %d", names[0], names[len(names)-1], len(names))
		}
		if got != tt.want {
			t.Errorf("Expand(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func TestExpandErrors(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", "a name is empty"},
		{"fs1,", "a name is empty"},
		{"fs[4-1]", "the range 4-1 is in the wrong order"},
		{"fs[10-9]", "the range 10-9 is in the wrong order"},
		{"sd[bu-b]", "the range bu-b is in the wrong order"},
		{"[00-7]", "have different numbers of digits"},
		{"[0-071]", "have different numbers of digits"},
		{"fs[1-b]", "1-b is not a range"},
		{"fs[a-C]", "a-C is not a range"},
		{"fs[-3]", "-3 is not a range"},
		{"fs[1-4/0]", `step "0"`},
		{"fs[1-4/x]", `step "x"`},
		{"fs[]", "the brackets are empty"},
		{"fs[1,,2]", "the brackets are empty or have a superfluous comma; write"},
		{"fs[1-4", "a bracket is missing"},
		{"fs1-4]", "a bracket is missing"},
		{"fs[[1-4]]", "a bracket is missing"},
		{"fs[1-4,3]", "fs3 is listed twice"},
		{"fs[1-2], fs1", "fs1 is listed twice"},
		{"fs[1-1000000000]", "more than 131072 names"},
		{"[1-1000][1-1000]", "more than 131072 names"},
	}
	for _, tt := range tests {
		names, err := Expand(tt.in)
		if err == nil {
			t.Errorf("Expand(%q) = %d names, want error %q", tt.in, len(names), tt.want)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "; ") {
			t.Errorf("Expand(%q): %v, want %q and a hint", tt.in, err, tt.want)
		}
	}
}

func TestFold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"fs1", "fs1"},
		{"fs1 fs2 fs3 fs4 fs7", "fs[1-4,7]"},
		{"fs9 fs10 mds1", "fs[9-10], mds1"},
		{"00 01 02 07", "00-02, 07"},
		{"fs2 fs1", "fs[2,1]"},
		{"sdz sdaa sdab", "sd[z-ab]"},
		{"nvme0n1 nvme1n1", "nvme0n1, nvme1n1"},
		{"a b", "a, b"},
		{"", ""},
	}
	for _, tt := range tests {
		names := strings.Fields(tt.in)
		got := Fold(names)
		if got != tt.want {
			t.Errorf("Fold(%s) = %s, want %s", tt.in, got, tt.want)
		}
		if back, err := Expand(got); tt.in != "" && (err != nil || !slices.Equal(back, names)) {
			t.Errorf("Expand(Fold(%s)) = %v, %v", tt.in, back, err)
		}
	}
}

// FuzzExpand: whatever expands has distinct names within bounds, and folds to
// a pattern of the same names.
func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"fs[1-128]", "[00-71]", "sd[b-bu]", "fs[1-4,7], mds1", "r[1-2]n[1-4/2]", "x[", "1-2", "[a-b]-3"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		names, err := Expand(pattern)
		if err != nil {
			return
		}
		if len(names) == 0 || len(names) > maxNames {
			t.Fatalf("%q: %d names", pattern, len(names))
		}
		if name, twice := firstTwice(names); twice {
			t.Fatalf("%q: %s comes twice", pattern, name)
		}
		for _, name := range names {
			if bracketed(name) != name || strings.TrimSpace(name) != name {
				return // a name that is itself a pattern, 1-2, cannot fold
			}
		}
		back, err := Expand(Fold(names))
		if err != nil || !slices.Equal(back, names) {
			t.Fatalf("%q: folds to %q, which expands to %d names, %v; want %d", pattern, Fold(names), len(back), err, len(names))
		}
	})
}
