package paths

import (
	"fmt"
	"testing"
)

func TestPathPattern(t *testing.T) {
	tests := []struct {
		pattern, path string
		want          string // the fields, or no
	}{
		{"{cluster}/{host}/{day}.csv", "/data/cluster_A/host_1/2022-07-18.csv", "map[cluster:cluster_A day:2022-07-18 host:host_1]"},
		{"{host}/*.csv", "/data/host_1/2022-07-18.csv.gz", "map[host:host_1]"},
		{"{host}/*.csv", "/data/host_1/2022-07-18.csv.zst", "map[host:host_1]"},
		{"{host}/*.csv", "/data/host_1/2022-07-18.csv.xz", "map[host:host_1]"},
		{"{host}/*.csv", "/data/host_1/2022-07-18.csv.bz2", "no"},
		{"{host}/*.csv", "/2022-07-18.csv", "no"},
		{"*.csv", "/a.csv", "map[]"},
		{"a.csv", "/data/a.csv", "map[]"},
		{"a.csv", "/data/ba.csv", "no"},
		{"a.csv", "/data/axcsv", "no"},
		{"/a.csv", "/data/a.csv", "map[]"},
		{"{host}-{day}.csv", "/x-y-2.csv", "map[day:y-2 host:x]"},
		{"smart_{day}/*", "/d/smart_7/part.0.parquet", "map[day:7]"},
		{"(a|b)+.csv", "/d/(a|b)+.csv", "map[]"},
	}
	for _, tt := range tests {
		p, err := Parse(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		got := "no"
		if fields, ok := p.Match(tt.path); ok {
			got = fmt.Sprint(fields)
		}
		if got != tt.want {
			t.Errorf("%s on %s: %s, want %s", tt.pattern, tt.path, got, tt.want)
		}
	}
}
