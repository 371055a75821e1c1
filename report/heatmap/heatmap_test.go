package heatmap

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/record/blklat"
	"github.com/limpet-storage/limpet/topology"
)

func schema(components int) table.Schema {
	return table.Schema{StepSeconds: 15, Components: components, Servers: 1, Latencies: true}
}

// hear gives a kept map rows of random requests, and returns all of them with the
// ends of their rows.
func hear(k *Kept, s table.Schema, rows int) (sent []blklat.Histogram) {
	rng := rand.New(rand.NewPCG(1, 2))
	row := table.NewRow(s)
	for n := range rows {
		row.Clear()
		row.End = int64(15 * (n + 1))
		for c := range s.Components {
			h := blklat.Histogram{{Bucket: uint16(100 + rng.IntN(40)), Requests: 1 + rng.Uint32N(9)}}
			row.LatencyOf(c)[blklat.Read].Device = h
			sent = append(sent, h)
		}
		k.Row(row)
	}
	return sent
}

// TestNothingIsLost: whatever the age, every request stands in one column and in
// the band of its bucket.
func TestNothingIsLost(t *testing.T) {
	for _, rows := range []int{1, 5, 700, 20000} {
		s := schema(2)
		k := New(s)
		want := make([]float64, Bands)
		for i, h := range hear(k, s, rows) {
			if i%2 == 1 {
				want[Band(int(h[0].Bucket))] += float64(h[0].Requests)
			}
		}
		m := k.Of([]int{1}, 0, int64(15*rows), 400)
		if got, _ := m.Requests(); !reflect.DeepEqual(got, want) {
			t.Errorf("%d rows: %v, want %v", rows, got, want)
		}
		if len(m.Columns) > 400 {
			t.Errorf("%d rows: %d columns", rows, len(m.Columns))
		}
	}
}

// TestAge: what is long ago has longer columns, and little is kept of it.
func TestAge(t *testing.T) {
	s := schema(1)
	k := New(s)
	hear(k, s, 4*60*24*30) // thirty days
	slots := 0
	for _, level := range k.levels {
		slots += len(level)
	}
	if slots > 128*10 {
		t.Errorf("%d slots are kept of thirty days", slots)
	}
	end := int64(30 * 86400)
	for _, tt := range []struct{ from, seconds int64 }{{end - 3600, 60}, {end - 3*3600, 120}, {end - 7*86400, 64 * 60}} {
		if m := k.Of([]int{0}, tt.from, end, 1000); m.Seconds != tt.seconds {
			t.Errorf("from %d s before the end columns have %d s, want %d", end-tt.from, m.Seconds, tt.seconds)
		}
	}
}

// TestGap: a column without requests is none, and so is what lies outside.
func TestGap(t *testing.T) {
	s := schema(1)
	k := New(s)
	row := table.NewRow(s)
	for _, end := range []int64{60, 240} {
		row.Clear()
		row.End = end
		row.LatencyOf(0)[blklat.Write].Device = blklat.Histogram{{Bucket: 200, Requests: 4}}
		k.Row(row)
	}
	m := k.Of([]int{0}, 0, 300, 100)
	var heard []int
	for i, shares := range m.Shares() {
		if shares != nil {
			heard = append(heard, i)
		}
	}
	if !reflect.DeepEqual(heard, []int{0, 3}) || len(m.Columns) != 5 {
		t.Errorf("columns %v of %d have requests, want 0 and 3 of 5", heard, len(m.Columns))
	}
	for name, empty := range map[string]Map{"nobody": k.Of(nil, 0, 300, 100), "later": k.Of([]int{0}, 600, 900, 100), "no time": k.Of([]int{0}, 300, 300, 100)} {
		if first, behind := Extent(&empty); first != 0 || behind != 0 || empty.Longer() != nil {
			t.Errorf("%s has bands from %d to %d", name, first, behind)
		}
	}
}

// TestLonger: of ten requests one is in the highest band.
func TestLonger(t *testing.T) {
	m := Map{Columns: [][]float64{nil, make([]float64, Bands)}}
	m.Columns[1][40], m.Columns[1][60] = 9, 1
	longer := m.Longer()
	for band, want := range map[int]float64{0: 1, 40: 1, 41: 0.1, 60: 0.1, 61: 0} {
		if got := longer[band]; math.Abs(got-want) > 1e-12 {
			t.Errorf("%g of requests take as long as band %d, want %g", got, band, want)
		}
	}
	if first, behind := Extent(&m); first != 40 || behind != 61 {
		t.Errorf("bands from %d to %d", first, behind)
	}
}

// TestBands: a band is four buckets, and begins with the first of them.
func TestBands(t *testing.T) {
	for b := range blklat.Buckets {
		band := Band(b)
		if lower := float64(blklat.LowerNs(b)) / 1e6; band >= Bands || lower < LowerMs(band) || band+1 < Bands && lower >= LowerMs(band+1) {
			t.Errorf("bucket %d from %g ms lies in band %d, from %g to %g ms", b, lower, band, LowerMs(band), LowerMs(band+1))
		}
	}
}

// TestState: what is written and read back goes on the same, by the names of
// components.
func TestState(t *testing.T) {
	s := schema(3)
	k, again := New(s), New(s)
	hear(k, s, 2000)
	system := &topology.System{Servers: []string{"a"}, Groups: []topology.PeerGroup{{ID: 1, Name: "all", Members: []int{0, 1, 2}}}}
	for _, name := range []string{"a/x", "a/y", "a/z"} {
		system.Components = append(system.Components, topology.Component{Name: name, Server: "a", Group: 1})
	}
	places := blame.NewMap(system)
	data, err := state.Encode(1, func(c *state.Codec) { k.State(c, places.Axes(c)) })
	if err != nil {
		t.Fatal(err)
	}
	if err := state.Decode(data, 1, func(c *state.Codec) { again.State(c, places.Axes(c)) }); err != nil {
		t.Fatal(err)
	}
	if got, want := again.Of([]int{2}, 0, 30000, 400), k.Of([]int{2}, 0, 30000, 400); !reflect.DeepEqual(got, want) {
		t.Errorf("read back %v, want %v", got, want)
	}
}

// TestNobodyTells: rows without requests take no room until one has some.
func TestNobodyTells(t *testing.T) {
	s := schema(3)
	k, row := New(s), table.NewRow(s)
	for end := int64(15); end < 3600; end += 15 {
		row.End = end
		k.Row(row)
	}
	if len(k.levels) != 0 {
		t.Errorf("%d levels are kept of no requests", len(k.levels))
	}
	hear(k, s, 1)
	if len(k.levels) != 1 {
		t.Errorf("%d levels are kept of one request, want 1", len(k.levels))
	}
}

// TestQuantiles: percentiles are upper bounds of bands, 19 % above the truth at most, of the requests
// between two times; components without requests have none.
func TestQuantiles(t *testing.T) {
	schema := table.Schema{StepSeconds: 15, Components: 3, Latencies: true}
	k := New(schema)
	for end := int64(15); end <= 600; end += 15 {
		row := table.NewRow(schema)
		row.End = end
		ms := 2.0
		if end > 300 {
			ms = 20
		}
		for component, times := range []float64{1, 10} {
			h := &row.LatencyOf(component)[blklat.Read].Device
			h.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(uint64(ms * times * 1e6))), Requests: 98}})
			h.Add(blklat.Histogram{{Bucket: uint16(blklat.Bucket(uint64(ms * times * 50e6))), Requests: 2}})
		}
		k.Row(row)
	}
	for _, tt := range []struct {
		share    float64
		from, to int64
		want     float64 // of the first component; the second takes ten times as long
	}{{0.5, 480, 600, 20}, {0.99, 480, 600, 1000}, {1, 480, 600, 1000}, {0.5, 120, 240, 2}, {0.4, 0, 600, 2}} {
		got := k.Quantiles(3, tt.share, tt.from, tt.to)
		for component, times := range []float64{1, 10} {
			if x := got[component]; x < tt.want*times*0.99 || x > tt.want*times*1.25 {
				t.Errorf("%g of the requests from %d to %d of component %d took %g ms, want %g", tt.share, tt.from, tt.to, component, x, tt.want*times)
			}
		}
		if !math.IsNaN(got[2]) {
			t.Errorf("a component without requests has %g ms", got[2])
		}
	}
	var none *Kept
	if got := none.Quantiles(2, 0.5, 0, 600); len(got) != 2 || !math.IsNaN(got[0]) {
		t.Errorf("without anything kept: %v", got)
	}
}
