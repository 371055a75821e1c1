package clickhouse

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
	"github.com/limpet-storage/limpet/study/survey"
)

// A record is a row of a table; nil is what is missing.
type record struct {
	time               time.Time
	group, drive, role string
	ios, latency, size *float64
}

// A fixture is a fleet as files and as tables.
type fixture struct {
	dir     string
	records []record
	// inventory and events are files in dir, empty where there is none.
	inventory, events string
}

// simulated draws a fleet.
func simulated(t testing.TB, o fleet.Options) *fixture {
	t.Helper()
	o.Format = fleet.Both
	f := &fixture{dir: filepath.Join(t.TempDir(), "fleet")}
	if _, err := fleet.Write(t.Context(), f.dir, o, nil); err != nil {
		t.Fatal(err)
	}
	f.inventory, f.events = filepath.Join(f.dir, "inventory.csv"), filepath.Join(f.dir, "events.csv")
	sim, err := fleet.New(o)
	if err != nil {
		t.Fatal(err)
	}
	drives := sim.Drives()
	for h := range sim.Hours() {
		for i, n := range h.IOs {
			if n == fleet.Absent {
				continue
			}
			r := record{time: h.Time, group: drives[i].Group, drive: drives[i].Name, role: string(drives[i].Role), ios: known(float64(n))}
			if n > 0 {
				r.latency, r.size = known(float64(h.LatencyUs[i])), known(float64(h.SizeBytes[i]))
			}
			f.records = append(f.records, r)
		}
	}
	return f
}

func known(v float64) *float64 { return &v }

// written writes records as a file of a fleet.
func written(t testing.TB, records []record) *fixture {
	t.Helper()
	f := &fixture{dir: t.TempDir(), records: records}
	lines := [][]string{{"time", "group", "drive", "role", "ios", "latency_us", "size_bytes"}}
	for _, r := range records {
		lines = append(lines, []string{r.time.Format(time.RFC3339), r.group, r.drive, r.role, number(r.ios), number(r.latency), number(r.size)})
	}
	writeCSV(t, filepath.Join(f.dir, "records.csv"), lines)
	return f
}

func writeCSV(t testing.TB, path string, lines [][]string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := csv.NewWriter(file).WriteAll(lines); err != nil {
		t.Fatal(err)
	}
}

func number(v *float64) string {
	if v == nil {
		return ""
	}
	return strconv.FormatFloat(*v, 'g', -1, 64)
}

// byTime is the order of a table that limpet reads fast.
const byTime = "ENGINE = MergeTree PARTITION BY toYYYYMM(time) ORDER BY (time, `group`)"

// load makes a table of the records that where lets pass.
func (s *server) load(table string, records []record, where func(*record) bool) {
	s.Helper()
	s.Exec("CREATE TABLE " + table + " (time DateTime, `group` String, drive String, role String, ios Nullable(Float64), " +
		"latency_us Nullable(Float64), size_bytes Nullable(Float64)) " + byTime)
	b, err := s.Conn.PrepareBatch(s.Context(), "INSERT INTO "+table+" (time, `group`, drive, role, ios, latency_us, size_bytes)")
	s.must(err)
	for i := range records {
		if r := &records[i]; where(r) {
			s.must(b.Append(r.time, r.group, r.drive, r.role, r.ios, r.latency, r.size))
		}
	}
	s.must(b.Send())
}

func all(*record) bool { return true }

// A result is all that a study finds, ready to be compared.
type result struct {
	reduction *study.Reduction
	fleet     *study.Fleet
	faults    Faults
	findings  []byte
}

// embedded studies the files.
func (f *fixture) embedded(t testing.TB, description *source.Description, o study.Options) *result {
	t.Helper()
	r, s := f.reduce(t, description, o)
	faults := s.Faults()
	return found(t, r, s.Fleet(), Faults{faults.Rows, faults.Values}, s.Events())
}

// reduce reduces the files as they are, several streams side by side.
func (f *fixture) reduce(t testing.TB, description *source.Description, o study.Options) (*study.Reduction, *source.Source) {
	t.Helper()
	so := source.DefaultOptions()
	so.TempDir, so.Description = t.TempDir(), description
	s, err := source.Open(t.Context(), []string{f.dir}, so)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	streams := s.Streams(t.Context())
	parts, errs := make([]*study.Reduction, len(streams)), make([]error, len(streams))
	var wg sync.WaitGroup
	for i, hours := range streams {
		wg.Go(func() { parts[i], errs[i] = study.Reduce(hours, s.Fleet(), o) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	r, err := study.Merge(s.Fleet(), parts...)
	if err != nil {
		t.Fatal(err)
	}
	return r, s
}

func found(t testing.TB, r *study.Reduction, f *study.Fleet, faults Faults, events []study.Event) *result {
	t.Helper()
	findings, err := survey.Find(r, f, events, survey.Options{Replicates: 40, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(findings)
	if err != nil {
		t.Fatal(err)
	}
	return &result{r, f, faults, data}
}

// reduced studies tables.
func reduced(t testing.TB, dsn string, o Options, so study.Options) *result {
	t.Helper()
	s, err := Open(t.Context(), dsn, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.Reduce(t.Context(), so)
	if err != nil {
		t.Fatal(err)
	}
	return found(t, r, s.Fleet(), s.Faults(), s.Events())
}

// same holds two results against each other, part by part, so that a
// difference shows where it is.
func same(t testing.TB, got, want *result) {
	t.Helper()
	if a, b := fmt.Sprint(got.fleet), fmt.Sprint(want.fleet); a != b {
		t.Fatalf("fleet %.2000s\nwant %.2000s", a, b)
	}
	if got.faults != want.faults {
		t.Errorf("wrong are %+v, want %+v", got.faults, want.faults)
	}
	g, w := got.reduction, want.reduction
	if a, b := fmt.Sprintf("%+v", g.Accounts), fmt.Sprintf("%+v", w.Accounts); a != b {
		t.Errorf("accounts %s\nwant     %s", a, b)
	}
	sameList(t, "cell", g.Cells, w.Cells)
	sameList(t, "seat", g.Seats, w.Seats)
	sameList(t, "slow hour", g.Slow, w.Slow)
	if len(g.Spreads) != len(w.Spreads) {
		t.Fatalf("%d spreads, want %d", len(g.Spreads), len(w.Spreads))
	}
	for i, s := range g.Spreads {
		if *s != *w.Spreads[i] {
			t.Errorf("the distributions of %v %v differ", s.Direction, s.Kind)
		}
	}
	if string(got.findings) != string(want.findings) {
		t.Errorf("the findings differ")
	}
}

// sameList compares as printed, since NaN is not equal to itself.
func sameList[T any](t testing.TB, what string, got, want []T) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d of %s, want %d", len(got), what, len(want))
		return
	}
	for i := range got {
		if a, b := fmt.Sprintf("%+v", got[i]), fmt.Sprintf("%+v", want[i]); a != b {
			t.Errorf("%s %d: %s\nwant %s", what, i, a, b)
			return
		}
	}
}
