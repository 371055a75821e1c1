package clickhouse

import (
	"os"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/study"
)

// TestReadsItsHours: a table in the order of time has a query read the hours that it is
// about, and little else. One in the order of groups has it read months, so that many
// short ranges read everything again and again.
func TestReadsItsHours(t *testing.T) {
	s := startServers(t, 1)[0]
	f := simulated(t, small())
	s.load("records", f.records, all)
	// With a thousand records a mark, so few records have marks enough.
	s.Exec("CREATE TABLE marked " + byTime + " SETTINGS index_granularity = 1024 AS SELECT * FROM records")
	rows := int64(len(f.records))
	o := DefaultOptions()
	o.Table, o.RangeRows, o.Progress = "marked", rows/6, &Progress{}
	store, err := Open(t.Context(), s.DSN(), o)
	s.must(err)
	defer store.Close()
	_, err = store.Reduce(t.Context(), study.DefaultOptions())
	s.must(err)
	const queries, most = 2, 1.5 // cells and tallies
	if times := float64(o.Progress.Read()) / float64(queries*rows); times < 1 || times > most {
		t.Errorf("a query reads %.2f times its records, want 1 to %v", times, most)
	}
}

// TestDocumentedOrder: the table that the manual shows is the one that tests have.
func TestDocumentedOrder(t *testing.T) {
	text, err := os.ReadFile(checkout.Path(t, "docs/study-clickhouse.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), byTime) {
		t.Errorf("docs/study-clickhouse.md does not show %s", byTime)
	}
}
