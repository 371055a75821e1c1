package clickhouse

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/study"
)

// TestDistributed reduces a fleet on two servers, with groups whole and torn.
func TestDistributed(t *testing.T) {
	servers := startServers(t, 2)
	f := wild(t, time.Date(2026, time.January, 25, 0, 0, 0, 0, time.UTC), 120, true)
	want := f.embedded(t, nil, study.DefaultOptions())
	for i, s := range servers {
		s.load("whole", f.records, func(r *record) bool { return len(r.group)%2 == i })
		s.load("torn", f.records, func(r *record) bool { return r.time.Hour()%2 == i })
	}
	for _, name := range []string{"whole", "torn"} {
		servers[0].Exec("CREATE TABLE every_" + name + " AS " + name + " ENGINE = Distributed(all, default, " + name + ", cityHash64(`group`))")
	}
	o := DefaultOptions()
	o.Table, o.InventoryFiles, o.RangeRows = "every_whole", []string{f.inventory}, 7000
	same(t, reduced(t, servers[0].DSN(), o, study.DefaultOptions()), want)

	o.Table = "every_torn"
	_, err := Open(t.Context(), servers[0].DSN(), o)
	wantError(t, err, "has records at clickhouse://127.0.0.1:", "shard the table by group")

	for _, o.Table = range []string{"every_whole", "every_torn"} {
		o.Gather = true
		same(t, reduced(t, servers[0].DSN(), o, study.DefaultOptions()), want)
	}

	o.Table, o.Gather = "every_whole", false
	servers[1].Stop()
	_, err = Open(t.Context(), servers[0].DSN(), o)
	wantError(t, err, "shard 2 of table `every_whole`", servers[1].Address, "can be reached")
}

func wantError(t testing.TB, err error, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want one with %q", err, part)
		}
	}
}

func TestEngineArguments(t *testing.T) {
	tests := map[string][]string{
		"Distributed(two, fleet, records)":                                {"two", "fleet", "records"},
		"Distributed('two', 'fleet', 'records', cityHash64(group))":       {"two", "fleet", "records"},
		"Distributed(two, `my db`, \"r,\\\"\", rand()) SETTINGS x = 1":    {"two", "my db", `r,"`},
		"Distributed('{cluster}', 'fleet', 'records', group, 'ssd_only')": {"{cluster}", "fleet", "records", "group", "ssd_only"},
		"Distributed(two, currentDatabase(), records)":                    {"two"},
		"MergeTree ORDER BY x":                                            nil,
		"Distributed('two, a":                                             nil,
		"Distributed(two,":                                                {"two"},
		"Distributed(a, b, 'c'":                                           {"a", "b"},
	}
	for engine, want := range tests {
		if got := engineArguments(engine); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", engine, got, want)
		}
	}
}

func FuzzEngineArguments(f *testing.F) {
	f.Add("Distributed(two, 'fleet', `records`, cityHash64(group))")
	f.Fuzz(func(t *testing.T, engine string) {
		for _, name := range engineArguments(engine) {
			if name == "" {
				t.Error("a name is empty")
			}
		}
	})
}
