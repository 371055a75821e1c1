package replay

import (
	"math"
	"reflect"
	"testing"
)

func TestHadoop(t *testing.T) {
	h := DefaultHadoop()
	h.Requests = 20_000
	s, err := h.Source()
	if err != nil {
		t.Fatal(err)
	}
	records := all(t, s)
	if len(records) != h.Requests {
		t.Fatalf("%d requests", len(records))
	}
	inOrder := 0 // going on where a request shortly before ended
	ends := map[int64]bool{}
	for i, r := range records {
		if r.Write || r.Length != h.Read || r.Offset%h.Read != 0 || r.Offset+r.Length > h.Capacity {
			t.Fatalf("request %d is %+v", i, r)
		}
		if i > 0 && r.At < records[i-1].At {
			t.Fatalf("request %d is before the last", i)
		}
		if ends[r.Offset] {
			inOrder++
		}
		ends[r.Offset+r.Length] = true
	}
	if share := float64(inOrder) / float64(len(records)); share < 0.98 {
		t.Errorf("%.3f of the requests go on where one ended", share)
	}
	if rate := float64(len(records)) / records[len(records)-1].At.Seconds(); math.Abs(rate-h.Rate) > 1 {
		t.Errorf("%.1f requests a second", rate)
	}
}

func TestHadoopSeeded(t *testing.T) {
	h := DefaultHadoop()
	h.Requests, h.Small = 1000, 0.1
	make := func(seed uint64) []Record {
		h.Seed = seed
		s, err := h.Source()
		if err != nil {
			t.Fatal(err)
		}
		return all(t, s)
	}
	if !reflect.DeepEqual(make(3), make(3)) {
		t.Error("the same seed gives other requests")
	}
	if reflect.DeepEqual(make(3), make(4)) {
		t.Error("another seed gives the same requests")
	}
	small := 0
	for _, r := range make(3) {
		if r.Length == 4096 {
			small++
		}
	}
	if small < 70 || small > 130 {
		t.Errorf("%d of 1000 requests are small", small)
	}
}

func TestHadoopMistakes(t *testing.T) {
	for i, spoil := range []func(*Hadoop){
		func(h *Hadoop) { h.Requests = 0 },
		func(h *Hadoop) { h.Mappers = 0 },
		func(h *Hadoop) { h.Rate = math.NaN() },
		func(h *Hadoop) { h.Read = 1000 },
		func(h *Hadoop) { h.Split = h.Read + 4096 },
		func(h *Hadoop) { h.Capacity = h.Split - 1 },
		func(h *Hadoop) { h.Small = 1.5 },
	} {
		h := DefaultHadoop()
		spoil(&h)
		if _, err := h.Source(); err == nil {
			t.Errorf("%d: %+v: no error", i, h)
		}
	}
}
