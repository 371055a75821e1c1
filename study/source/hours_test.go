package source

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/study"
)

// A made record, before it goes into columns.
type made struct {
	hour         int32
	micro        uint32
	group, drive int32
	ios          float32
}

func (m made) String() string { return fmt.Sprint(m.hour, m.micro, m.group, m.drive, m.ios) }

// columnsOf puts records into columns.
func columnsOf(list []made, finer bool) *records {
	r := newRecords(1)
	for _, m := range list {
		r.Hour, r.Group, r.Drive = append(r.Hour, m.hour), append(r.Group, m.group), append(r.Drive, m.drive)
		if finer {
			r.Micro = append(r.Micro, m.micro)
		}
		v := &r.Measure[0]
		v.IOs, v.Latency, v.Size = append(v.IOs, m.ios), append(v.Latency, 2*m.ios), append(v.Size, 3*m.ios)
	}
	return r
}

func random(rng *rand.Rand, n int) []made {
	var list []made
	for i := range n {
		list = append(list, made{
			hour: 1000 + rng.Int32N(40), micro: uint32(rng.IntN(4)) * 900e6,
			group: rng.Int32N(5), drive: rng.Int32N(20), ios: float32(1 + i),
		})
	}
	return list
}

// TestHourSorter sorts random records through many ranges and several writers, and
// compares them with a stable sort. Where 50 records fit into memory, hours and even
// moments do not, and are cut further.
func TestHourSorter(t *testing.T) {
	for maxRows, finer := range map[int]bool{2000: false, 2001: true, 50: false, 51: true} {
		for _, writers := range []int{1, 3} {
			rng := rand.New(rand.NewPCG(7, uint64(writers)))
			list := random(rng, 30_000)
			counts := make(map[int32]int64)
			for _, m := range list {
				counts[m.hour]++
			}
			dir := t.TempDir()
			s, err := newHourSorter(sortOptions{Dir: dir, Directions: 1, Finer: finer, MaxRows: maxRows}, counts, writers)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(cutHours(counts, int64(maxRows))); n < 10 {
				t.Errorf("%d ranges", n)
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("files can be seen: %v", left)
			}
			for i := range writers {
				part := list[i*len(list)/writers : (i+1)*len(list)/writers]
				for chunk := range slices.Chunk(part, 777) {
					if err := s.Writer(i).Add(columnsOf(chunk, finer)); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.Writer(i).Flush(); err != nil {
					t.Fatal(err)
				}
			}
			got := newRecords(1)
			var heard int64
			for _, f := range s.Feeds(4, func(rows int64) { heard += rows }) {
				for {
					err := f.Read(t.Context(), got)
					if err == io.EOF {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
				}
			}
			slices.SortStableFunc(list, func(a, b made) int {
				if c := cmp.Compare(a.hour, b.hour); c != 0 || !finer {
					return c
				}
				return cmp.Compare(a.micro, b.micro)
			})
			if want := columnsOf(list, finer); fmt.Sprint(got) != fmt.Sprint(want) || heard != int64(len(list)) {
				t.Errorf("finer %v, %d writers: other records, %d heard of", finer, writers, heard)
			}
			if n := s.Open(); n > 0 {
				t.Errorf("%d sorters of ranges that were cut are still open", n)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// listFeed gives out records in pieces.
type listFeed struct {
	list  []made
	finer bool
	piece int
}

func (f *listFeed) Read(ctx context.Context, out *records) error {
	if len(f.list) == 0 {
		return io.EOF
	}
	n := min(f.piece, len(f.list))
	out.Add(columnsOf(f.list[:n], f.finer), 0, n)
	f.list = f.list[n:]
	return ctx.Err()
}

// TestStream holds drive hours against a plain twin: records by hour, group
// and drive, the first of a time alone, in maps.
func TestStream(t *testing.T) {
	for _, finer := range []bool{false, true} {
		for _, piece := range []int{1, 10, 10_000} {
			rng := rand.New(rand.NewPCG(3, uint64(piece)))
			list := random(rng, 3000)
			slices.SortStableFunc(list, func(a, b made) int {
				return cmp.Or(cmp.Compare(a.hour, b.hour), cmp.Compare(a.micro, b.micro))
			})
			shape := shape{Groups: 5, Drives: 20, Directions: []study.Direction{study.All}, Rates: []bool{false}, Finer: finer}
			f := Folding{Repeated: -1}
			s := newStream(t.Context(), &listFeed{list, finer, piece}, shape, func(n Folding) { f = n })
			got := drainStream(t, s)
			want, twice := plainHours(list, finer)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) || f.Repeated != twice || finer && twice == 0 {
				t.Errorf("finer %v, piece %d: %d rows of %d, %d repeated of %d", finer, piece, len(got), len(want), f.Repeated, twice)
			}
			if finer && (f.Records != int64(len(list)) || f.Hours != int64(len(want)) || f.Merged() != f.Records-twice-f.Hours || f.Single == 0 || f.Double == 0) {
				t.Errorf("piece %d: %+v of %d records in %d hours", piece, f, len(list), len(want))
			}
		}
	}
}

// TestCrowdedHour: equal records of an hour are held once and counted; more
// that differ than may be held are refused.
func TestCrowdedHour(t *testing.T) {
	const rows, drives = 100_000, 3
	var list []made
	for i := range rows {
		list = append(list, made{hour: 7, group: int32(i % drives), drive: int32(i % drives), ios: 1})
	}
	list = append(list, made{hour: 8, ios: 1})
	shape := shape{Groups: drives, Drives: drives, Directions: []study.Direction{study.All}, Rates: []bool{false}, MaxHourRows: 10_000}
	var b study.Batch
	s := newStream(t.Context(), &listFeed{slices.Clone(list), false, 777}, shape, func(Folding) {})
	if err := s.Next(&b); err != nil {
		t.Fatal(err)
	}
	again := int32(0)
	for _, n := range b.Again {
		again += n
	}
	if b.Len() != drives || again != rows-drives {
		t.Errorf("%d records stand for %d more of %d", b.Len(), again, rows)
	}
	if err := s.Next(&b); err != nil || b.Len() != 1 {
		t.Errorf("the next hour: %d records, %v", b.Len(), err)
	}
	for i := range rows {
		list[i].ios = float32(i)
	}
	s = newStream(t.Context(), &listFeed{list, false, 777}, shape, func(Folding) {})
	if err := s.Next(&b); err == nil || !strings.Contains(err.Error(), "an hour has more than 10000 records of 3 drives") {
		t.Errorf("got %v", err)
	}
}

func drainStream(t *testing.T, s *stream) (rows []string) {
	t.Helper()
	var b study.Batch
	seen := make(map[[2]int32]bool)
	last := [2]int32{-1, -1}
	for {
		err := s.Next(&b)
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Len() {
			key := [2]int32{b.Hour[i], b.Group[i]}
			if key != last && seen[key] {
				t.Errorf("group %d comes twice in hour %d", key[1], key[0])
			}
			seen[key], last = true, key
			rows = append(rows, fmt.Sprintf("%d %d %d %.2f %.2f", b.Hour[i], b.Group[i], b.Drive[i], b.IOs[i], b.Latency[i]))
		}
	}
}

func plainHours(list []made, finer bool) (rows []string, repeated int64) {
	if !finer {
		for _, m := range list {
			rows = append(rows, fmt.Sprintf("%d %d %d %.2f %.2f", m.hour, m.group, m.drive, m.ios, 2*m.ios))
		}
		return rows, 0
	}
	type key struct{ hour, group, drive int32 }
	type moment struct {
		key
		micro uint32
	}
	sums, squares := make(map[key]float64), make(map[key]float64)
	had := make(map[moment]bool)
	for _, m := range list {
		k := key{m.hour, m.group, m.drive}
		if had[moment{k, m.micro}] {
			repeated++
			continue
		}
		had[moment{k, m.micro}] = true
		sums[k] += float64(m.ios)
		squares[k] += 2 * float64(m.ios) * float64(m.ios)
	}
	for k, sum := range sums {
		rows = append(rows, fmt.Sprintf("%d %d %d %.2f %.2f", k.hour, k.group, k.drive, float32(sum), float32(squares[k]/sum)))
	}
	return rows, repeated
}

func TestStreamEndsWithAnError(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	calls := 0
	shape := shape{Groups: 1, Drives: 1, Directions: []study.Direction{study.All}, Rates: []bool{false}}
	s := newStream(ctx, &listFeed{[]made{{hour: 1}, {hour: 2}}, false, 1}, shape, func(Folding) { calls++ })
	var b study.Batch
	for range 2 {
		if err := s.Next(&b); err != context.Canceled || b.Len() > 0 {
			t.Errorf("got %v and %d rows", err, b.Len())
		}
	}
	if calls != 1 {
		t.Errorf("done %d times", calls)
	}
}

func TestCut(t *testing.T) {
	rows := map[int32]int64{5: 10, 6: 10, 7: 30, 9: 1, 20: 1}
	for most, want := range map[int64][]int32{1: {5, 6, 7, 9, 20}, 20: {5, 7, 9}, 1000: {5}} {
		if got := cutHours(rows, most); !slices.Equal(got, want) {
			t.Errorf("%d: got %v, want %v", most, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	rows := map[int32]int64{5: 10, 6: 10, 7: 10, 9: 10, 20: 10}
	for n, want := range map[int][]int32{1: {5}, 2: {5, 9}, 3: {5, 7, 20}, 5: {5, 6, 7, 9, 20}, 9: {5, 6, 7, 9, 20}} {
		if got := splitHours(rows, n); !slices.Equal(got, want) {
			t.Errorf("%d: got %v, want %v", n, got, want)
		}
	}
}
