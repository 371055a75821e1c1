package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/table"
)

// gaugesOf prints the gauges of a row.
func gaugesOf(r *table.Row) string { return fmt.Sprintf("%+v", r.Gauges) }

// earlierRow returns the i-th row of the journals in testdata.
func earlierRow(i int, clients bool) *table.Row {
	r := rowOf(small, i)
	r.Gauges[i%2] = table.ServerGauges{Known: true, PausesBegan: uint32(i), Drives: []table.DriveGauges{{Component: i % 3, Bytes: 100, Free: float64(i)}}}
	if clients && i%3 > 0 {
		r.Gauges[1].Clients = []table.ClientTraffic{{Name: "", BytesPerSecond: float64(i)}, {Name: "c1", BytesPerSecond: 7}}
	}
	return r
}

// copied copies the files of a directory into a new directory.
func copied(tb testing.TB, from string) string {
	tb.Helper()
	to := tb.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		tb.Fatal(err)
	}
	return to
}

// TestEarlierForms opens journals of format 3, which earlier versions of limpet have written: one
// without traffic by client, and one with it. All rows and notes are read. No record is appended to a
// log of format 3: the next snapshot begins a log of the present format.
func TestEarlierForms(t *testing.T) {
	for name, clients := range map[string]bool{"form3": false, "form3-clients": true} {
		t.Run(name, func(t *testing.T) {
			dir := copied(t, filepath.Join("testdata", name))
			j, r := open1(t, dir)
			if !r.Found || string(r.Meta) != "meta" || string(r.Blob) != "blob" || len(r.Troubles) > 0 || r.Missing || !r.Older {
				t.Fatalf("%+v", r)
			}
			var got []string
			err := r.Replay(small,
				func(row *table.Row) error { got = append(got, printed(row)+gaugesOf(row)); return nil },
				func(note []byte) error { got = append(got, string(note)); return nil })
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for i := range 6 {
				row := earlierRow(i, clients)
				if want = append(want, printed(row)+gaugesOf(row)); i == 3 {
					want = append(want, "muted")
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q\nwant %q", got, want)
			}
			if err := j.Append(earlierRow(6, true)); !errors.Is(err, errOlder) {
				t.Errorf("a row is appended to an older log: %v", err)
			}
			if err := j.Snapshot(small, nil, nil); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(j.Append(earlierRow(7, true)), j.Close()); err != nil {
				t.Fatal(err)
			}
			if _, r := open1(t, dir); r.Older || r.Missing || r.Records != 1 || len(r.Troubles) > 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestGaugesReplayed: gauges and traffic by client of a log are passed on after a restart.
func TestGaugesReplayed(t *testing.T) {
	dir := t.TempDir()
	j, _ := open1(t, dir)
	snap(t, j, small, 0)
	for i := range 4 {
		if err := j.Append(earlierRow(i, true)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	_, r := open1(t, dir)
	i := 0
	err := r.Replay(small, func(row *table.Row) error {
		if got, want := gaugesOf(row), gaugesOf(earlierRow(i, true)); got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
		i++
		return nil
	}, nil)
	if err != nil || i != 4 {
		t.Errorf("%d rows: %v", i, err)
	}
}

// TestNewerForm: a log and a snapshot of a newer version are refused in one line, and stay as they are.
func TestNewerForm(t *testing.T) {
	for _, file := range []string{name(1, logSuffix), name(1, snapshotSuffix)} {
		dir := copied(t, "testdata/form3")
		path := filepath.Join(dir, file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint32(data[len(logMagic):], version+1)
		binary.LittleEndian.PutUint32(data[len(logMagic)+4:], crc32.Checksum(data[:len(logMagic)+4], castagnoli))
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err = Open(dir, DefaultOptions())
		want := "a newer version of limpet wrote the file (format 5; this version reads formats 3 to 4)"
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", file, err)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(data) {
			t.Errorf("%s has changed: %v", file, err)
		}
	}
}
