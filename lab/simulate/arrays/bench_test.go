package arrays

import (
	"io"
	"testing"
)

func BenchmarkDemo(b *testing.B) {
	for b.Loop() {
		if _, err := Demo(1).Write(b.Context(), b.TempDir(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// drain takes all rows of a system like Intrepid.
func drain(b *testing.B, o IntrepidOptions, metrics ...string) {
	s, err := Intrepid(o)
	if err != nil {
		b.Fatal(err)
	}
	rows, err := s.Rows(15, metrics...)
	if err != nil {
		b.Fatal(err)
	}
	count := 0
	for ; ; count++ {
		if _, err := rows.Next(); err == io.EOF {
			break
		}
	}
	if count < 5750*o.Days {
		b.Fatalf("%d rows", count)
	}
}

// BenchmarkIntrepidEvent is what an evaluation takes of one event: three days
// of the first two priorities.
func BenchmarkIntrepidEvent(b *testing.B) {
	for b.Loop() {
		o := DefaultIntrepidOptions()
		o.Days, o.Priorities = 3, 2
		drain(b, o, "await", "tps")
	}
}

// BenchmarkIntrepidRows is a day of all attachments and metrics.
func BenchmarkIntrepidRows(b *testing.B) {
	for b.Loop() {
		drain(b, DefaultIntrepidOptions())
	}
}

// BenchmarkIntrepidFiles writes a day of all servers, on all processors.
func BenchmarkIntrepidFiles(b *testing.B) {
	for b.Loop() {
		s, err := Intrepid(DefaultIntrepidOptions())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Write(b.Context(), b.TempDir(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
