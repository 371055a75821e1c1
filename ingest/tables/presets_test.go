package tables_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/ingest/tables"
	"github.com/limpet-storage/limpet/ingest/tool"
)

// Every form has a preset, and every preset says what it is for.
func TestAll(t *testing.T) {
	var names []string
	for _, p := range tables.All() {
		names = append(names, p.Name)
		if _, err := tables.ParseDescription(p.Name+".yaml", p.Text); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
		if p.Title == "" || len(p.Title) > 80 || strings.HasPrefix(p.Title, "#") {
			t.Errorf("%s: title %q", p.Name, p.Title)
		}
		if !strings.Contains(tables.List(), "  "+p.Name+" ") {
			t.Errorf("%s is not listed", p.Name)
		}
	}
	if got, want := strings.Join(names, " "), strings.Join(tool.TableNames(), " "); got != want {
		t.Errorf("ingest/tables/presets has %s; ingest/tool/registry.go has the forms %s: each form needs a preset of its name", got, want)
	}
	if _, ok := tables.Lookup("nmon"); ok {
		t.Error("there is a preset nmon")
	}
}

// inputs returns the texts of a form that package tool reads in its tests.
func inputs(t *testing.T, form string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(checkout.Path(t, "ingest/tool/testdata/tables"), form, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return filepath.Ext(name) == ".golden" })
}

// What each tool prints becomes rows of at least three peers, and a file is
// recognised as what it is.
func TestRows(t *testing.T) {
	for _, p := range tables.All() {
		for _, path := range inputs(t, p.Name) {
			t.Run(filepath.Base(path), func(t *testing.T) { testRows(t, p, path) })
		}
	}
}

func testRows(t *testing.T, p tables.Preset, path string) {
	d, err := tables.ParseDescription(p.Name, p.Text)
	if err != nil {
		t.Fatal(err)
	}
	src, err := tables.Open(t.Context(), d, []string{path}, tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	rows := 0
	for {
		row, err := src.Next(t.Context())
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(row.Values[0]) < 3 {
			t.Errorf("%d components", len(row.Values[0]))
		}
		rows++
	}
	if rows < 2 {
		t.Errorf("%d rows", rows)
	}
	for _, w := range src.Warnings() {
		if strings.Contains(w.String(), "name no time zone") && p.Name != "zpool" && p.Name != "ceph" {
			continue
		}
		if !strings.Contains(w.String(), "vd) has 1 member") && !strings.Contains(w.String(), "these devices are left out, because they are not drives") {
			t.Errorf("warning %s", w)
		}
	}
	head, err := os.ReadFile(path)
	if what, preset := tables.Recognise(head[:min(len(head), tables.Head)]); err != nil || preset != p.Name || what == "" {
		t.Errorf("recognised as %q, %q, %v", what, preset, err)
	}
}

// TestLeftOut: what is no drive is left out, and that is said once for all files.
func TestLeftOut(t *testing.T) {
	p, _ := tables.Lookup("sar")
	d, err := tables.ParseDescription(p.Name, p.Text)
	if err != nil {
		t.Fatal(err)
	}
	d.Time.Clock = d.Time.Clock.InLocation(time.UTC)
	write := func(name string, devices ...string) string {
		text := "Linux 6.1.0 (box)  2026-11-15  _x86_64_  (2 CPU)\n\n"
		for minute := range 3 {
			text += fmt.Sprintf("\n10:%02d:00  DEV  tps  rkB/s  wkB/s  dkB/s  areq-sz  aqu-sz  await  %%util\n", minute)
			for _, device := range devices {
				text += fmt.Sprintf("10:%02d:00  %s  5.00  10.00  0.00  0.00  2.00  0.01  1.50  0.40\n", minute, device)
			}
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	files := []string{write("a.txt", "sda", "sdb", "sdc", "sda1", "loop2", "loop10"), write("b.txt", "sdd", "md0", "loop2")}
	src, err := tables.Open(t.Context(), d, files, tables.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if got, want := fmt.Sprint(src.Warnings()), "[these devices are left out, because they are not drives: loop[2,10], md0; to judge these devices too, use activity files, and list the devices in a topology file]"; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	_, err = tables.Open(t.Context(), d, []string{write("c.txt", "loop2")}, tables.Options{})
	if err == nil || !strings.Contains(err.Error(), "the file has no drives, only other devices such as loop2, which limpet does not judge") {
		t.Error(err)
	}
}

func TestRecognise(t *testing.T) {
	for head, want := range map[string]string{
		"PAR1\x00\x01":            "a Parquet table FILE",
		"t,disk,latency\n1,a,2\n": "a CSV table FILE",
		"t;disk\n1;a\n":           "a CSV table FILE",
		"just some notes\nin two lines, with a comma": " ",
		"\x7fELF\x02\x01,\n,":                         " ",
		"":                                            " ",
		"Linux 6.1 (a) 11/15/26 _x86_64_ (2 CPU)\n\n22:00:00 CPU %user\n": "text of sar or iostat without drives: give the output of `sar -d` or `iostat -x -t` ",
	} {
		what, tables := tables.Recognise([]byte(head))
		if got := what + " " + tables; got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

// A file of another tool is refused with what it should be.
func TestOtherText(t *testing.T) {
	p, _ := tables.Lookup("zpool")
	d, err := tables.ParseDescription(p.Name, p.Text)
	if err != nil {
		t.Fatal(err)
	}
	path := checkout.Path(t, "ingest/tool/testdata/tables/sar/sar.txt")
	if _, err := tables.Open(t.Context(), d, []string{path}, tables.Options{}); err == nil || !strings.Contains(err.Error(), "sar.txt: the file has no samples of drives; give the output of zpool iostat -vly -T u 15") {
		t.Errorf("got %v", err)
	}
}

// TestAssumed: dates that may be of either order are settled by what else is in the
// files, and what had to be assumed is said, with what to type.
func TestAssumed(t *testing.T) {
	text := func(dates ...string) string {
		all := "Linux 6.1 (box)  01/02/26  _x86_64_  (2 CPU)\n"
		for _, date := range append(dates[:1:1], dates...) { // the first report is since the boot
			all += date + "\nDevice r/s w/s r_await w_await %util\n"
			for _, device := range []string{"sda", "sdb", "sdc"} {
				all += device + " 5 5 1.5 1.5 3\n"
			}
			all += "\n"
		}
		return all
	}
	const dates, zone = "a: limpet reads dates such as 09/05/26 with the month first, because the files do not show the order of day and month; add --dates day-first", "a: the times name no time zone and are read as UTC; add --data-tz ZONE"
	unsure := text("09/05/26 10:00:00", "09/05/26 10:00:15")
	for name, tt := range map[string]struct {
		files    []string
		dates    tool.DateOrder
		zone     *time.Location
		want     string // end of the first row
		warnings []string
	}{
		"nothing tells":       {[]string{unsure}, "", nil, "2026-09-05T10:00:00Z", []string{dates, zone}},
		"flags tell":          {[]string{unsure}, tool.DayFirst, time.FixedZone("", 7200), "2026-05-09T08:00:00Z", nil},
		"flags, month first":  {[]string{unsure}, tool.MonthFirst, time.UTC, "2026-09-05T10:00:00Z", nil},
		"a later day tells":   {[]string{text("09/05/26 23:59:45", "10/05/26 00:00:00")}, "", time.UTC, "2026-05-09T23:59:45Z", nil},
		"another file tells":  {[]string{unsure, text("13/05/26 10:00:00")}, "", time.UTC, "2026-05-09T10:00:00Z", nil},
		"the flag is wrong":   {[]string{text("09/13/26 10:00:00", "09/13/26 10:00:15")}, tool.DayFirst, time.UTC, "2026-09-13T10:00:00Z", nil},
		"times of all places": {[]string{text("2026-05-09T10:00:00+0200", "2026-05-09T10:00:15+0200")}, "", nil, "2026-05-09T08:00:00Z", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := tables.Lookup("iostat")
			d, err := tables.ParseDescription(p.Name, p.Text)
			if err != nil {
				t.Fatal(err)
			}
			if tt.zone != nil {
				d.Time.Clock = d.Time.Clock.InLocation(tt.zone)
			}
			dir := t.TempDir()
			for i, text := range tt.files {
				if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			src, err := tables.Open(t.Context(), d, []string{dir}, tables.Options{Dates: tt.dates, StepSeconds: 15})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			row, err := src.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := time.Unix(row.End, 0).UTC().Format(time.RFC3339); got != tt.want {
				t.Errorf("the first row is of %s, want %s", got, tt.want)
			}
			warnings := src.Warnings()
			if len(warnings) != len(tt.warnings) {
				t.Fatalf("%d warnings, want %d: %v", len(warnings), len(tt.warnings), warnings)
			}
			for i, want := range tt.warnings {
				if !strings.Contains(warnings[i].String(), want) {
					t.Errorf("warning %s, want %s", warnings[i], want)
				}
			}
		})
	}
}
