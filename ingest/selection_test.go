package ingest

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/ingest/period"
	"github.com/limpet-storage/limpet/topology"
)

// made is a source of rows with a value for every component: its place.
type made struct {
	system *topology.System
	row    *table.Row
	ends   []int64
}

func makeSource(ends ...int64) *made {
	var listed []topology.Seen
	for _, server := range []string{"fs1", "fs2"} {
		for _, device := range []string{"sda", "sdb", "sdc"} {
			listed = append(listed, topology.Seen{Kind: topology.Attachment, Server: server, Device: topology.Device{Name: device}})
		}
	}
	system, _ := topology.Discover(listed, topology.PeersServer)
	m := &made{system: system, ends: ends}
	m.row = table.NewRow(m.Schema())
	return m
}

func (m *made) Schema() table.Schema {
	return table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.Await}, Components: len(m.system.Components), Servers: len(m.system.Servers), Load: -1}
}
func (m *made) System() *topology.System { return m.system }
func (m *made) Warnings() []Warning      { return nil }
func (m *made) Close() error             { return nil }

func (m *made) Next(context.Context) (*table.Row, error) {
	if len(m.ends) == 0 {
		return nil, io.EOF
	}
	m.row.End, m.ends = m.ends[0], m.ends[1:]
	for c := range m.row.Values[0] {
		m.row.Values[0][c] = float64(c)
	}
	m.row.Heard[1] = true
	return m.row, nil
}

func drain(t *testing.T, src Source) (ends []int64) {
	t.Helper()
	for {
		row, err := src.Next(context.Background())
		if err == io.EOF {
			return ends
		}
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, row.End)
	}
}

func TestRowsOfPeriod(t *testing.T) {
	src := makeSource(15, 30, 45, 60, 75)
	e := Selection{Period: period.Period{Since: time.Unix(15, 0), Until: time.Unix(50, 0)}}
	rows, err := e.Rows(src)
	if err != nil {
		t.Fatal(err)
	}
	if got := drain(t, rows); !slices.Equal(got, []int64{30, 45}) {
		t.Errorf("steps that end at %d", got)
	}
	if len(src.ends) != 1 {
		t.Errorf("it reads on after the period: %d are left", len(src.ends))
	}
	if w := rows.Warnings(); len(w) != 0 {
		t.Errorf("warnings %v", w)
	}
	e = Selection{Period: period.Period{Since: time.Unix(1000, 0)}}
	rows, _ = e.Rows(makeSource(15, 30))
	_, err = rows.Next(t.Context())
	if _, nothing := errors.AsType[*NothingError](err); !nothing || !strings.Contains(err.Error(), "the files have data from 1970-01-01 00:00Z to 1970-01-01 00:00Z") {
		t.Errorf("no row of the period: %v", err)
	}
}

// TestUnusableDataOfPeriod: if limpet cannot use the data of a server, an error does not say when all
// files begin.
func TestUnusableDataOfPeriod(t *testing.T) {
	src := &unusable{makeSource(86400, 86415)}
	e := Selection{Period: period.Period{Until: time.Unix(3600, 0)}}
	rows, err := e.Rows(src)
	if err != nil {
		t.Fatal(err)
	}
	const want = "there are no data until 1970-01-01 01:00:00Z: the data that limpet can use start at 1970-01-02 00:00Z; records of fs2 are too far apart; choose another period"
	if _, err = rows.Next(t.Context()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// unusable is a source with a server whose data limpet cannot use.
type unusable struct{ Source }

func (*unusable) Warnings() []Warning {
	return []Warning{{Text: "another warning"}, {Text: "records of fs2 are too far apart", Servers: []string{"fs2"}}}
}

func TestRowsOfServers(t *testing.T) {
	set, err := topology.ParseNames([]string{"fs2"})
	if err != nil {
		t.Fatal(err)
	}
	e := Selection{Servers: set}
	rows, err := e.Rows(makeSource(15))
	if err != nil {
		t.Fatal(err)
	}
	row, err := rows.Next(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got := row.Values[0]; !slices.Equal(got, []float64{3, 4, 5}) || !slices.Equal(row.Heard, []bool{true}) {
		t.Errorf("values %v, heard %v", got, row.Heard)
	}
	if s := rows.Schema(); s.Components != 3 || s.Servers != 1 || rows.System().Components[0].Name != "fs2/sda" {
		t.Errorf("schema %+v of %s", s, rows.System().Components[0].Name)
	}
	e.Servers, _ = topology.ParseNames([]string{"fs9"})
	if _, err := e.Rows(makeSource(15)); err == nil || !strings.Contains(err.Error(), "the data have the servers fs[1-2]") {
		t.Error(err)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, written := range map[string]time.Time{
		"fs1-20260301T000005Z.sa":    {},
		"fs1-20260201T000005Z.sa.xz": {},
		"fs2-20260301T000005Z.sa":    {},
		"sa01":                       time.Date(2026, 3, 1, 23, 50, 0, 0, time.UTC),
		"sa28":                       time.Date(2026, 2, 27, 23, 50, 0, 0, time.UTC),
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
	}
	var asked []string
	host := func(path string) (string, error) {
		asked = append(asked, filepath.Base(path))
		return "fs1.site", nil
	}
	set, _ := topology.ParseNames([]string{"fs1"})
	e := Selection{Servers: set, Period: period.Period{Since: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)}}
	files, err := e.Files([]string{dir}, host)
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if want := []string{"fs1-20260301T000005Z.sa", "sa01"}; !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
	if !slices.Equal(asked, []string{"sa01"}) {
		t.Errorf("looked into %q, though names tell", asked)
	}
	e.Servers, _ = topology.ParseNames([]string{"fs7"})
	_, err = e.Files([]string{dir}, host)
	if _, nothing := errors.AsType[*NothingError](err); !nothing || !strings.Contains(err.Error(), "none of 5 files has data of fs7, from 2026-03-01 00:00:00Z to 2026-03-02 00:00:00Z; 3 files have data of fs1, fs1.site, fs2, and 2 files have data of other times, according to the names and the modification times of the files") {
		t.Error(err)
	}
}
