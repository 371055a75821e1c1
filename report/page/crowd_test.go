package page

import (
	"bytes"
	"encoding/base64"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// crowdOf returns an empty crowd of n positions with values from 0 to 220, so
// that a value is a row.
func crowdOf(t testing.TB, n int) *Crowd {
	t.Helper()
	at := make([]float64, n)
	for i := range at {
		at[i] = float64(i)
	}
	c, err := NewCrowd(Chart{Title: "crowd", At: at, Y: Axis{Max: crowdRows}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func add(t testing.TB, c *Crowd, values []float64) {
	t.Helper()
	if err := c.Add(values); err != nil {
		t.Fatal(err)
	}
}

func (r *raster) at(column, row int) uint16 { return r.cells[column*crowdRows+row] }

// walk is a random series with gaps and spikes.
func walk(r *rand.Rand, n int) []float64 {
	values := make([]float64, n)
	level := 40 + 20*r.Float64()
	for i := range values {
		level += r.NormFloat64()
		values[i] = level + 3*r.ExpFloat64()
		switch r.IntN(200) {
		case 0:
			values[i] *= 3
		case 1:
			values[i] = nan
		}
	}
	return values
}

func TestSpikeShows(t *testing.T) {
	const n = 5760
	c := crowdOf(t, n)
	values := slices.Repeat([]float64{10}, n)
	values[3000] = 200
	add(t, c, values)
	spike := column(3000.0 / (n - 1) * crowdColumns)
	for row := 10; row <= 200; row++ {
		if c.raster.at(spike, row) != 1 {
			t.Fatalf("row %d of the spike's column has %d peers, want 1", row, c.raster.at(spike, row))
		}
	}
	if c.raster.at(spike, 201) != 0 || c.raster.at(spike, 9) != 0 {
		t.Error("the spike reaches too far")
	}
	if c.raster.at(spike-2, 20) != 0 || c.raster.at(spike+2, 20) != 0 {
		t.Error("the spike is too wide")
	}
}

func TestLineCountsOnceInACell(t *testing.T) {
	const n = 9000 // ten positions a column
	c := crowdOf(t, n)
	values := make([]float64, n)
	for i := range values {
		values[i] = 50 + 40*float64(i%2)
	}
	add(t, c, values)
	add(t, c, values)
	for column := range crowdColumns {
		for row := range crowdRows {
			want := uint16(0)
			if row >= 50 && row <= 90 {
				want = 2
			}
			if got := c.raster.at(column, row); got != want {
				t.Fatalf("cell %d, %d has %d peers, want %d", column, row, got, want)
			}
		}
	}
}

func TestFewPositionsAreJoined(t *testing.T) {
	c := crowdOf(t, 2)
	add(t, c, []float64{0, crowdRows})
	for column := range crowdColumns {
		row := int((float64(column) + 0.5) / crowdColumns * crowdRows)
		if c.raster.at(column, row) != 1 {
			t.Fatalf("the diagonal is broken at column %d", column)
		}
	}
}

func TestMissingIsBlankAndCounted(t *testing.T) {
	const n = crowdColumns + 1
	c := crowdOf(t, n)
	values := make([]float64, n)
	for i := 300; i < 600; i++ {
		values[i] = nan
	}
	values[450] = 7               // alone between gaps
	add(t, c, make([]float64, n)) // zeros are values
	add(t, c, values)
	for _, tt := range []struct {
		column, row int
		want        uint16
	}{{299, 0, 2}, {400, 0, 1}, {450, 7, 1}, {450, 0, 1}, {600, 0, 2}} {
		if got := c.raster.at(tt.column, tt.row); got != tt.want {
			t.Errorf("cell %d, %d has %d peers, want %d", tt.column, tt.row, got, tt.want)
		}
	}
	shares := c.raster.absence()
	for column, want := range map[int]byte{299: 0, 300: 128, 449: 128, 450: 0, 599: 128, 600: 0} {
		if shares[column] != want {
			t.Errorf("in column %d %d/255 are missing, want %d", column, shares[column], want)
		}
	}
	if c.missing != 299 {
		t.Errorf("%d samples are missing, want 299", c.missing)
	}
}

func TestMissingShowsWithFewPositions(t *testing.T) {
	c := crowdOf(t, 4)
	add(t, c, []float64{1, nan, 1, 1})
	shares := c.raster.absence()
	for column, want := range map[int]byte{0: 0, 1: 255, 299: 255, 301: 0, 899: 0} {
		if shares[column] != want {
			t.Errorf("in column %d %d/255 are missing, want %d", column, shares[column], want)
		}
	}
}

func TestBeyondTheAxis(t *testing.T) {
	tests := []struct {
		name   string
		scale  Scale
		values []float64
		row    int // of the last position
		want   string
	}{
		{"within", Linear, []float64{1, 1, 1, 100}, 219, ""},
		{"above", Linear, []float64{1, 1, 1, 1e300}, 219, "25.0 % of samples are above the axis; these samples are drawn at the upper edge"},
		{"below", Linear, []float64{1, 1, 1, -5}, 0, "25.0 % of samples are below the axis; these samples are drawn at the lower edge"},
		{"both", Linear, []float64{1, 1, 1e9, -5}, 0, "25.0 % of samples are above the axis and 25.0 % below the axis; these samples are drawn at the edges"},
		{"infinite is missing", Linear, []float64{1, 1, math.Inf(-1), 1}, 2, ""},
		{"zero on a logarithmic axis", Log, []float64{1, 1, 1, 0}, 0, "25.0 % of samples are below the axis; these samples are drawn at the lower edge"},
	}
	for _, tt := range tests {
		axis := Axis{Scale: tt.scale, Min: 0.01, Max: 100}
		c, err := NewCrowd(Chart{At: []float64{1, 2, 3, 4}, Y: axis})
		if err != nil {
			t.Fatal(err)
		}
		add(t, c, tt.values)
		if got := c.beyond(); got != tt.want {
			t.Errorf("%s: legend says %q, want %q", tt.name, got, tt.want)
		}
		if c.raster.at(crowdColumns-1, tt.row) != 1 {
			t.Errorf("%s: nothing at row %d of the last column", tt.name, tt.row)
		}
	}
}

func sheetOf(c *Crowd) []byte {
	s := c.plot().Sheet.Crowd
	return slices.Concat(s.Cells, s.Missing)
}

func TestOrderOfPeersDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	forward, backward := crowdOf(t, 2000), crowdOf(t, 2000)
	var peers [][]float64
	for range 20 {
		peers = append(peers, walk(r, 2000))
	}
	for _, p := range peers {
		add(t, forward, p)
	}
	slices.Reverse(peers)
	for _, p := range peers {
		add(t, backward, p)
	}
	if !bytes.Equal(sheetOf(forward), sheetOf(backward)) {
		t.Error("peers added in another order give another raster")
	}
}

func TestRowsEqualSeries(t *testing.T) {
	const n, peers = 2000, 20
	r := rand.New(rand.NewPCG(2, 2))
	bySeries, byRow := crowdOf(t, n), crowdOf(t, n)
	rows := make([][]float64, n)
	for range peers {
		values := walk(r, n)
		add(t, bySeries, values)
		for i, v := range values {
			rows[i] = append(rows[i], v)
		}
	}
	for _, row := range rows {
		if err := byRow.AddRow(row); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(sheetOf(bySeries), sheetOf(byRow)) {
		t.Error("the same samples by row give another raster than by series")
	}
	if byRow.peers != peers || byRow.missing != bySeries.missing {
		t.Errorf("by row there are %d peers and %d missing, want %d and %d", byRow.peers, byRow.missing, peers, bySeries.missing)
	}
}

func TestCrowdErrors(t *testing.T) {
	c := crowdOf(t, 2)
	if err := c.Add([]float64{1}); err == nil || !strings.Contains(err.Error(), `peer plot "crowd": peer 0 has 1 values for 2 x values`) {
		t.Errorf("short series: error %v", err)
	}
	if err := c.AddRow([]float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	if err := c.AddRow([]float64{1}); err == nil || !strings.Contains(err.Error(), "row 1 has 1 peers, but the first row has 2") {
		t.Errorf("short row: error %v", err)
	}
	if err := c.check(nil); err == nil || !strings.Contains(err.Error(), "rows for 1 of 2 x values") {
		t.Errorf("rows left out: error %v", err)
	}
	if err := c.AddRow([]float64{1, 2}); err != nil {
		t.Fatal(err)
	}
	if err := c.AddRow([]float64{1, 2}); err == nil || !strings.Contains(err.Error(), "more rows than x values (2)") {
		t.Errorf("surplus row: error %v", err)
	}
	if err := c.check(nil); err != nil {
		t.Errorf("complete crowd: error %v", err)
	}
	if _, err := NewCrowd(Chart{At: []float64{1, 2}}); err == nil || !strings.Contains(err.Error(), "set Min and Max") {
		t.Errorf("no bounds: error %v", err)
	}
	if _, err := NewCrowd(Chart{At: []float64{1}, Y: Axis{Max: 1}}); err == nil || !strings.Contains(err.Error(), "only one x value") {
		t.Errorf("one position: error %v", err)
	}
}

func TestAddingAPeerTakesNoMemory(t *testing.T) {
	c := crowdOf(t, 5760)
	values := walk(rand.New(rand.NewPCG(3, 3)), 5760)
	if n := testing.AllocsPerRun(5, func() { _ = c.Add(values) }); n > 0 {
		t.Errorf("adding a peer allocates %g times", n)
	}
}

func TestSizeOfALargeCrowd(t *testing.T) {
	const limit = 400_000
	c := crowdOf(t, 5760)
	r := rand.New(rand.NewPCG(4, 4))
	for range 768 {
		add(t, c, walk(r, 5760))
	}
	var out bytes.Buffer
	if err := c.write(&out); err != nil {
		t.Fatal(err)
	}
	if out.Len() > limit {
		t.Errorf("768 peers of 5,760 samples take %d bytes, want at most %d", out.Len(), limit)
	}
	worst := bytes.Repeat([]byte{0, 1}, crowdColumns*crowdRows/2) // no zero has a neighbour
	if n := base64.StdEncoding.EncodedLen(len(packZeros(worst))); n > limit {
		t.Errorf("the least squeezable raster takes %d bytes, want at most %d", n, limit)
	}
}

func BenchmarkCrowd(b *testing.B) {
	c := crowdOf(b, 5760)
	values := walk(rand.New(rand.NewPCG(5, 5)), 5760)
	b.SetBytes(8 * 5760)
	for b.Loop() {
		add(b, c, values)
	}
}
