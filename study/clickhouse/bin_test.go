package clickhouse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	driver "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/ext"

	"github.com/limpet-storage/limpet/study"
)

// delicate are ratios at the limits of all bins, right beside them, and
// anywhere.
func delicate() []float64 {
	out := []float64{1e-300, 1e-38, 1e38, 1e300}
	for bin := range study.Bins {
		limit := study.BinLower(bin)
		out = append(out, math.Nextafter(limit, 0), limit, math.Nextafter(limit, math.Inf(1)))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		out = append(out, math.Exp2(40*rng.Float64()-20))
	}
	return out
}

// TestBins has a server put ratios into cells.
func TestBins(t *testing.T) {
	s := startServers(t, 1)[0]
	table, err := ext.NewTable("ratios", ext.Column("r", "Float64"))
	s.must(err)
	for _, r := range delicate() {
		s.must(table.Append(r))
	}
	b := study.NewBinner()
	n := 0
	sql := fmt.Sprintf("SELECT r, toUInt64(%s) FROM (SELECT r, reinterpretAsUInt64(reinterpretAsString(r)) AS bits FROM ratios)", cellSQL("bits"))
	s.must(s.shard().query(driver.Context(t.Context(), driver.WithExternalTable(table)), sql, func(scan func(...any) error) error {
		var r float64
		var key uint64
		err := scan(&r, &key)
		if _, like := unkey(key); b.Bin(like) != b.Bin(r) {
			t.Errorf("%v is in bin %d, want %d", r, b.Bin(like), b.Bin(r))
		}
		n++
		return err
	}))
	if n != len(delicate()) {
		t.Errorf("%d ratios came back of %d", n, len(delicate()))
	}
}

// TestExact has a server read thresholds and units.
func TestExact(t *testing.T) {
	s := startServers(t, 1)[0]
	for _, v := range []float64{1.5, 2, 1.1, 1.7, math.Nextafter(2, 3), math.Pi, 1e15 / 7, 1 << 60, 1e-3, 1000} {
		var got float64
		s.must(s.shard().query(t.Context(), "SELECT "+exact(v), func(scan func(...any) error) error { return scan(&got) }))
		if got != v {
			t.Errorf("%v reads as %v", v, got)
		}
	}
}

// shard is the server as a Store sees it.
func (s *server) shard() *shard { return &shard{address: s.Address, conn: s.Conn} }
