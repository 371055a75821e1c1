package topology

import "testing"

func TestSet(t *testing.T) {
	for _, tt := range []struct {
		patterns []string
		has, not string
	}{
		{nil, "anything", ""},
		{[]string{"fs3"}, "fs3", "fs33"},
		{[]string{"fs[1-128]"}, "fs77", "fs129"},
		{[]string{"fs[1-4,7], mds1"}, "mds1", "fs5"},
		{[]string{"fs1", "fs2"}, "fs2", "fs3"},
		{[]string{"fs*"}, "fs12", "mds1"},
		{[]string{"*/sda"}, "fs1/sda", "fs1/sdb"},
		{[]string{"sd*"}, "sdaa", "fs1/sda"},
		{[]string{"6.0?.*"}, "6.07.1", "6.17.1"},
	} {
		s, err := ParseNames(tt.patterns)
		if err != nil {
			t.Fatal(err)
		}
		if !s.Has(tt.has) || tt.not != "" && s.Has(tt.not) {
			t.Errorf("%q: has %s %v, has %s %v", tt.patterns, tt.has, s.Has(tt.has), tt.not, s.Has(tt.not))
		}
	}
	s, _ := ParseNames([]string{"fs1"})
	if !s.HasHost("fs1.example.org") || s.HasHost("fs2.example.org") {
		t.Error("a domain makes no other host")
	}
	for _, bad := range []string{"fs[1-", "fs[4-1]", "fs*[", "fs[1-9999999999]"} {
		if _, err := ParseNames([]string{bad}); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}
