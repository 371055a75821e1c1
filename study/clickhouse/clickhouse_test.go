package clickhouse

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/clickhouse/clickhousetest"
	"github.com/limpet-storage/limpet/study/source"
)

func small() fleet.Options {
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days = 12, 8, 16
	return o
}

// TestSimulated holds the study of tables against that of files, with
// inventory and events as files and as tables, for one who may only read.
func TestSimulated(t *testing.T) {
	s := startServers(t, 1)[0]
	f := simulated(t, small())
	want := f.embedded(t, nil, study.DefaultOptions())
	if len(want.reduction.Slow) == 0 || len(want.reduction.Spreads) != 2 {
		t.Fatal("the fleet is too healthy to tell anything")
	}
	s.load("records", f.records, all)
	o := DefaultOptions()
	o.Table, o.InventoryFiles, o.EventFiles = "records", []string{f.inventory}, []string{f.events}
	o.RangeRows, o.Queries = int64(len(f.records)/3), 1
	o.Progress = &Progress{}
	same(t, reduced(t, s.DSN(), o, study.DefaultOptions()), want)
	n := int64(len(f.records))
	if phase, rows, done, total := o.Progress.State(); phase != source.Reading || rows != n || done != total {
		t.Errorf("progress ends %v with %d records, %d of %d; want %d records", phase, rows, done, total, n)
	}

	s.loadCSV("inventory", f.inventory, map[string]string{"deployed": "Date"})
	s.loadCSV("events", f.events, map[string]string{"time": "DateTime"})
	o.Inventory, o.Events, o.InventoryFiles, o.EventFiles = "inventory", "events", nil, nil
	reader := "clickhouse://" + clickhousetest.Reader + "@" + s.Address + "/default"
	o.Password = clickhousetest.ReaderPassword
	same(t, reduced(t, reader, o, study.DefaultOptions()), want)
}

// TestGone loses the server between two queries.
func TestGone(t *testing.T) {
	s := startServers(t, 1)[0]
	f := wild(t, time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC), 50, true)
	s.load("records", f.records, all)
	o := DefaultOptions()
	o.Table, o.RangeRows, o.Queries, o.Progress = "records", 500, 1, &Progress{}
	go func() {
		for phase, done := source.Surveying, int64(0); (phase != source.Reading || done == 0) && t.Context().Err() == nil; {
			time.Sleep(time.Millisecond)
			phase, _, done, _ = o.Progress.State()
		}
		s.Stop()
	}()
	store, err := Open(t.Context(), s.DSN(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	_, err = store.Reduce(t.Context(), study.DefaultOptions())
	wantError(t, err, "hours from 2026-01-01", s.Address, "check that ClickHouse runs there")
}

// TestRefused asks for what cannot be had.
func TestRefused(t *testing.T) {
	s := startServers(t, 1)[0]
	f := wild(t, time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC), 4, true)
	s.load("records", f.records, all)
	s.load("empty", nil, all)
	s.Exec("CREATE TABLE finer AS records ENGINE = Memory")
	s.Exec("INSERT INTO finer SELECT time + 60 * (ios > 1000), `group`, drive, role, ios, latency_us, size_bytes FROM records WHERE ios > 0")
	s.Exec("CREATE TABLE words (time String, `group` String, drive String, latency_us String) ENGINE = Memory")
	s.Exec("CREATE TABLE exact (time DateTime, `group` String, drive String, latency_us Decimal(9, 3)) ENGINE = Memory")
	s.Exec("CREATE TABLE broken (time DateTime, `group` String, drive String, latency_us Float64) ENGINE = Memory")
	s.Exec("INSERT INTO broken SELECT toDateTime(1767225600), 'g', '', 1")
	tests := []struct {
		dsn, table string
		want       []string
	}{
		{s.DSN(), "", []string{"no table of records"}},
		{s.DSN(), "nobody", []string{"cannot see table `nobody`", "name another"}},
		{s.DSN(), "records` WHERE 1; DROP TABLE records; --", []string{"cannot see table `records\\`", "name another"}},
		{s.DSN(), "empty", []string{"has no records"}},
		{s.DSN(), "finer", []string{"several records per hour"}},
		{s.DSN(), "words", []string{"column time has the type String", "change the type to DateTime"}},
		{s.DSN(), "exact", []string{"column latency_us has the type Decimal(9, 3)", "change the type to Float64 or an integer, or name a view that casts the column"}},
		{s.DSN(), "broken", []string{"no records with a time, a group and a drive"}},
		{s.DSN(), "`no.body`", []string{"cannot see table `no.body`", "name another"}},
		{s.DSN(), "system.one", []string{"has no column \"time\"; the columns are dummy"}},
		{"clickhouse://nobody:x@" + s.Address, "records", []string{s.Address, "the password of a user"}},
		{"clickhouse://" + s.Address + "/nowhere", "records", []string{"nowhere", "name a column or table that exists"}},
		{"http://" + s.Address, "records", []string{"native port"}},
		{"clickhouse://127.0.0.1:1", "records", []string{"clickhouse://127.0.0.1:1: dial tcp", "check that ClickHouse runs there"}},
		{"nonsense", "records", []string{"cannot be read"}},
	}
	for _, test := range tests {
		o := DefaultOptions()
		o.Table = test.table
		_, err := Open(t.Context(), test.dsn, o)
		wantError(t, err, test.want...)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, s.DSN(), Options{Table: "records", RangeRows: 1, Queries: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a context that has ended", err)
	}
}

// TestChanged reads a table that gets more records meanwhile.
func TestChanged(t *testing.T) {
	s := startServers(t, 1)[0]
	f := wild(t, time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC), 20, true)
	s.load("records", f.records, all)
	o := DefaultOptions()
	o.Table = "records"
	store, err := Open(t.Context(), s.DSN(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s.Exec("INSERT INTO records SELECT * FROM records LIMIT 5")
	_, err = store.Reduce(t.Context(), study.DefaultOptions())
	wantError(t, err, "was changed while limpet was reading", "run the command again")
}
