package bus

import (
	"testing"
	"time"
)

// TestOldRecordsGo: a log drops records that are older than keep, and keeps the rest.
func TestOldRecordsGo(t *testing.T) {
	now := time.Unix(1000, 0)
	b := NewLocal(func() time.Time { return now }, time.Second)
	kept, err := b.Logs.Open(t.Context(), "x", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		now = now.Add(30 * time.Second)
		if err := kept.Append(t.Context(), Record{Subject: "s", Data: []byte{byte(i)}}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := kept.Read(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	one, err := r.Next(t.Context())
	if n := len(kept.(*log).records); err != nil || one.Data[0] != 7 || one.Seq != 8 || n != 3 {
		t.Errorf("the first of %d records is %+v, %v", n, one, err)
	}
}
