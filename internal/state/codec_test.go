package state

import (
	"bytes"
	"math"
	"reflect"
	"testing"
)

// memory has one of everything that a stage can remember.
type memory struct {
	Small   int8
	Whole   int64
	Byte    uint8
	Word    uint64
	Yes, No bool
	Number  float64
	Missing uint64 // bits of a missing value
	Text    string
	Empty   string
	List    []string
	Ints    []int64
	Map     map[string]int
	ByPlace map[int]float64
	Row     []float64
	Row32   []float32
	Counts  []int
	At      int
	Nowhere int
	Several []int
}

func full() *memory {
	m := &memory{
		Small: -128, Whole: math.MinInt64, Byte: 255, Word: math.MaxUint64, Yes: true,
		Number: -0.1, Missing: 0x7ff8_0000_0000_0123, Text: "fs1/sdb µs\x00\n", List: []string{"b", "", "a"},
		Ints: []int64{math.MaxInt64, 0, -1}, Map: map[string]int{"z": 1, "a": -2, "m": 3},
		ByPlace: map[int]float64{2: 0.5, 0: math.Inf(1)}, At: 2, Nowhere: -1, Several: []int{2, 0},
	}
	m.Row, m.Row32, m.Counts = make([]float64, 5000), make([]float32, 5000), make([]int, 5000)
	for i := range m.Row {
		m.Row[i], m.Row32[i], m.Counts[i] = math.Sqrt(float64(i)), float32(i)/7, i*i
	}
	return m
}

func blank(places int) *memory {
	return &memory{Row: make([]float64, places), Row32: make([]float32, places), Counts: make([]int, places)}
}

func (m *memory) state(c *Codec, places []Named) {
	a := c.Axis(places)
	Int(c, &m.Small)
	Int(c, &m.Whole)
	Uint(c, &m.Byte)
	Uint(c, &m.Word)
	c.Bool(&m.Yes)
	c.Bool(&m.No)
	c.Float(&m.Number)
	missing := math.Float64frombits(m.Missing)
	c.Float(&missing)
	m.Missing = math.Float64bits(missing)
	Text(c, &m.Text)
	Text(c, &m.Empty)
	Texts(c, &m.List)
	Ints(c, &m.Ints)
	Map(c, &m.Map, Text, Int)
	ByIndex(c, a, &m.ByPlace, (*Codec).Float)
	c.Floats(a, m.Row)
	c.Floats32(a, m.Row32)
	By(c, a, m.Counts, Int)
	a.Index(c, &m.At)
	a.Index(c, &m.Nowhere)
	a.Indexes(c, &m.Several)
}

func encode(tb testing.TB, m *memory, places []Named) []byte {
	tb.Helper()
	data, err := Encode(7, func(c *Codec) { m.state(c, places) })
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func decode(data []byte, places []Named) (*memory, error) {
	m := blank(len(places))
	return m, Decode(data, 7, func(c *Codec) { m.state(c, places) })
}

// many are so many places, each with a name of its own.
func many(n int) []Named {
	places := make([]Named, n)
	for i := range places {
		places[i].Name = string(rune('a'+i%26)) + string(rune('0'+i/26))
	}
	return places
}

func TestRoundTrip(t *testing.T) {
	want, places := full(), many(5000)
	data := encode(t, want, places)
	if !reflect.DeepEqual(want, full()) {
		t.Error("saving changed what was saved")
	}
	got, err := decode(data, places)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v\nwant %+v", got, want)
	}
	for range 5 {
		if !bytes.Equal(encode(t, got, places), data) {
			t.Fatal("the same memory gives other bytes")
		}
	}
}

// TestNumbersThatDoNotFit: a number is refused where it would be cut.
func TestNumbersThatDoNotFit(t *testing.T) {
	tests := map[string]struct {
		write, read func(*Codec)
	}{
		"int":     {func(c *Codec) { v := 128; Int(c, &v) }, func(c *Codec) { var v int8; Int(c, &v) }},
		"uint":    {func(c *Codec) { v := uint32(256); Uint(c, &v) }, func(c *Codec) { var v uint8; Uint(c, &v) }},
		"sign":    {func(c *Codec) { v := -1; Int(c, &v) }, func(c *Codec) { var v uint32; Uint(c, &v) }},
		"length":  {func(c *Codec) { v := -1; Int(c, &v) }, func(c *Codec) { var v []int; Ints(c, &v) }},
		"entries": {func(c *Codec) { v := -1; Int(c, &v) }, func(c *Codec) { var v map[string]int; Map(c, &v, Text, Int) }},
		"text":    {func(c *Codec) { v := maxText + 1; Int(c, &v) }, func(c *Codec) { var v string; Text(c, &v) }},
		"less":    {func(*Codec) {}, func(c *Codec) { var v int; Int(c, &v) }},
		"more":    {func(c *Codec) { v := 1; Int(c, &v) }, func(*Codec) {}},
	}
	for name, tt := range tests {
		data, err := Encode(1, tt.write)
		if err != nil {
			t.Fatal(err)
		}
		if err := Decode(data, 1, tt.read); err == nil {
			t.Errorf("%s: it was read", name)
		}
	}
}
