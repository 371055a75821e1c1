package record

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestExpired(t *testing.T) {
	day := func(s string, size int64) file { return file{path: s, begin: at(s), size: size} }
	files := []file{
		day("2026-02-20 00:00:05", 10), day("2026-02-27 00:00:05", 10), day("2026-02-27 12:00:00", 10),
		day("2026-02-28 00:00:05", 10), day("2026-03-01 00:00:05", 50),
	}
	for _, c := range []struct {
		days  int
		bytes int64
		want  int
	}{
		{0, 0, 0},
		{30, 1000, 0},
		{4, 0, 0},
		{3, 0, 1},
		{2, 0, 3}, // both of a day
		{1, 0, 4},
		{0, 90, 0},
		{0, 89, 1},
		{0, 60, 3},
		{0, 1, 4}, // never the newest
		{3, 60, 3},
	} {
		if got := expired(files, c.days, c.bytes); len(got) != c.want {
			t.Errorf("%d days, %d bytes: %d files go, want %d", c.days, c.bytes, len(got), c.want)
		}
	}
	if got := expired(nil, 1, 1); got != nil {
		t.Errorf("got %v", got)
	}
}

// TestComplaints: the log hears once of what cannot be looked after.
func TestComplaints(t *testing.T) {
	dir := t.TempDir()
	k, said := keeperOf(dir, Zstd), &bytes.Buffer{}
	k.log = slog.New(slog.NewTextHandler(said, nil))
	k.opts.KeepDays = 1
	stuck := file{path: dir, begin: at("2026-02-20 00:00:05"), packing: Zstd} // is not empty
	newest := file{path: filepath.Join(dir, "newest"), begin: at("2026-03-01 00:00:05"), packing: Zstd}
	if err := os.WriteFile(newest.path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		k.retain([]file{stuck, newest})
	}
	if n := strings.Count(said.String(), "level=ERROR"); n != 1 {
		t.Errorf("of a file that cannot be removed: %d\n%s", n, said)
	}
	said.Reset()
	k.dir = filepath.Join(dir, "absent")
	k.pass(t.Context())
	if n := strings.Count(said.String(), "level=ERROR"); n != 1 {
		t.Errorf("of a directory that is gone: %d\n%s", n, said)
	}
}

// TestRetention: over a week, three days stay.
func TestRetention(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 12:00:00"))
		h.opts.KeepDays, h.opts.Interval, h.opts.Compress = 3, 5*time.Second, Zstd
		other := filepath.Join(h.opts.Dir, "fs2-20250101T000005Z.sa.zst")
		if err := os.WriteFile(other, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		h.record(7 * 24 * time.Hour)
		h.wantNames(
			"fs1-20260306T000005Z.sa.zst", "fs1-20260307T000005Z.sa.zst", "fs1-20260308T000005Z.sa",
			"fs2-20250101T000005Z.sa.zst",
		)
	})
}

// TestRetentionBySize: the sum stays below the bound, and the file being
// written stays even when it is above.
func TestRetentionBySize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t, at("2026-03-01 00:00:05"))
		h.opts.Interval = 5 * time.Second
		h.record(24 * time.Hour)
		day := stat(t, filepath.Join(h.opts.Dir, h.names()[0])).Size()
		h.opts.KeepBytes = 5 * day / 2
		h.record(5*24*time.Hour + 6*time.Hour)
		h.wantNames("fs1-20260305T000005Z.sa", "fs1-20260306T000005Z.sa", "fs1-20260307T000005Z.sa")
		h.opts.KeepBytes = day / 10
		h.record(time.Hour)
		h.wantNames("fs1-20260307T000005Z.sa")
		if got := h.read("fs1-20260307T000005Z.sa"); !slices.IsSorted(got.times) || len(got.times) < 7*720-5 {
			t.Errorf("%d samples", len(got.times))
		}
	})
}
