package sysstat

import (
	"io"
	"slices"
	"testing"
)

// TestDisksAgainstTwin compares the quick decoder of the usual layout with the
// general one, on a real file.
func TestDisksAgainstTwin(t *testing.T) {
	r, err := Open("testdata/sa-all")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	compared := 0
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type != Stats {
			continue
		}
		raw, count, size, l := rec.decodable(DiskActivity)
		if !slices.Equal(l.fields, usualDisk) {
			t.Fatalf("the fixture has another layout: %v", l.fields)
		}
		quick, plain := rec.Disks(nil), rec.anyDisks(nil, raw, count, size, l)
		if !slices.Equal(quick, plain) {
			t.Fatalf("quick %+v\nplain %+v", quick, plain)
		}
		compared += len(quick)
	}
	if compared == 0 {
		t.Error("no disks compared")
	}
}
