package sadf

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mikelolasagasti/xz"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// sharedDir is the reference material beside the repository.
func sharedDir(t *testing.T) string {
	t.Helper()
	root, _ := filepath.Abs(".")
	for ; root != filepath.Dir(root); root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
	}
	dir := filepath.Join(root, "..", "shared", "data", "sysstat")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no reference files: %v", err)
	}
	return dir
}

// The text that sadf of the recording version printed, byte by byte. Files
// of other machines were printed by Debian's.
func TestSharedTexts(t *testing.T) {
	texts, err := filepath.Glob(filepath.Join(sharedDir(t), "generated", "*.sadf-d-*"))
	if err != nil || len(texts) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	for _, text := range texts {
		t.Run(filepath.Base(text), func(t *testing.T) {
			path, suffix, _ := strings.Cut(text, ".sadf-d-")
			if suffix == "d" {
				suffix = "disk"
			}
			var opts Options
			if strings.HasSuffix(path, "-i686") || strings.HasSuffix(path, "-s390x") {
				opts.As = debian
			}
			i := slices.IndexFunc(reports, func(r reported) bool { return r.suffix == suffix })
			opts.Report = reports[i].report
			want, err := os.ReadFile(text)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, dump(t, path, opts), string(want))
		})
	}
}

// What the sadf at hand prints of every reference file, converted first where
// it is too old for it. Names of disks are not compared: they would be those
// of the host that the test runs on.
func TestSharedBySadf(t *testing.T) {
	version := installed(t)
	dir := sharedDir(t)
	files, _ := filepath.Glob(filepath.Join(dir, "data-*"))
	more, _ := filepath.Glob(filepath.Join(dir, "generated", "*"))
	compared := 0
	for _, path := range append(files, more...) {
		if strings.Contains(path, ".sadf-") {
			continue
		}
		r, err := sysstat.Open(path)
		if err != nil {
			continue
		}
		legacy, big := r.Header().Format != 0x2175, r.Header().BigEndian
		r.Close()
		if legacy && big {
			continue // sadf -c loses all rows of these
		}
		readable := path
		if legacy {
			out, _ := run(t, "sadf", "-c", path)
			readable = filepath.Join(t.TempDir(), "converted")
			if err := os.WriteFile(readable, []byte(out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for _, r := range reports {
			want, err := run(t, "sadf", append([]string{"-d", readable, "--"}, r.args...)...)
			if err != nil || want == "" {
				continue // not in the file, or too new for this sadf
			}
			compared++
			t.Run(filepath.Base(path)+"."+r.suffix, func(t *testing.T) {
				got := dump(t, path, Options{Report: r.report, As: version})
				if r.report == Disks {
					got, want = nameless(got), nameless(want)
				}
				diff(t, got, want)
			})
		}
	}
	if compared < 50 {
		t.Errorf("%d texts compared", compared)
	}
}

// What the sadf at hand prints of files of sysstat 9.0, which it does not
// read: their list of activities is rewritten as 9.1.6 wrote it, then sadf
// converts them.
func TestSharedOldBySadf(t *testing.T) {
	version := installed(t)
	files, _ := filepath.Glob(filepath.Join(sharedDir(t), "old", "*.xz"))
	if len(files) == 0 {
		t.Skip("no reference files of sysstat 9.0")
	}
	for _, path := range files {
		dir := t.TempDir()
		renewed, converted := filepath.Join(dir, "renewed"), filepath.Join(dir, "converted")
		writeFile(t, renewed, renew(unpack(t, path)))
		out, _ := run(t, "sadf", "-c", renewed)
		writeFile(t, converted, []byte(out))
		for _, r := range reports {
			want, err := run(t, "sadf", append([]string{"-d", converted, "--"}, r.args...)...)
			if err != nil {
				continue // not in the file
			}
			t.Run(filepath.Base(path)+"."+r.suffix, func(t *testing.T) {
				got := dump(t, path, Options{Report: r.report, As: version})
				if r.report == Disks {
					got, want = nameless(got), nameless(want)
				}
				if strings.Count(want, "\n") < 30 {
					t.Fatalf("sadf printed %q only", want)
				}
				diff(t, got, want)
			})
		}
	}
}

// renew gives a little-endian file of format 0x2170 the header of 0x2171: the
// magic of an activity and the count of its sub-items are added.
func renew(old []byte) []byte {
	const header, entry = 288, 12
	le := binary.LittleEndian
	b := bytes.Clone(old[:header])
	le.PutUint16(b[2:], 0x2171)
	end := header + entry*int(le.Uint32(old[16:]))
	for at := header; at < end; at += entry {
		b = append(b, old[at:at+4]...)
		b = le.AppendUint32(b, 0x8a)
		b = append(b, old[at+4:at+8]...)
		b = le.AppendUint32(b, 1)
		b = append(b, old[at+8:at+12]...)
	}
	return append(b, old[end:]...)
}

func unpack(t *testing.T, path string) []byte {
	t.Helper()
	packed, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	r, err := xz.NewReader(packed, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// nameless is a dump without the name in each row.
func nameless(dump string) string {
	var b strings.Builder
	for line := range strings.Lines(dump) {
		f := strings.SplitN(line, ";", 5)
		b.WriteString(strings.Join(slices.Delete(f, 3, 4), ";"))
	}
	return b.String()
}

// What sar of the newest sysstat prints of upstream's own test files.
func TestSharedReports(t *testing.T) {
	dir := sharedDir(t)
	as := sysstat.Version{Major: 12, Patch: 8}
	for _, c := range []struct {
		file   string
		report Report
		title  string // second column and third of the report's title
	}{
		{"data-9.1.6", Disks, "DEV tps"},
		{"data-9.1.6", Interfaces, "IFACE rxpck/s"},
		{"data-9.1.6", InterfaceErrors, "IFACE rxerr/s"},
		{"data-9.1.6", TCP, "active/s passive/s"},
		{"data-9.1.6", TCPErrors, "atmptf/s estres/s"},
		{"data-9.1.6", CPUs, "CPU %usr"},
		{"data-10.3.1", Disks, "DEV tps"},
		{"data-10.3.1", Interfaces, "IFACE rxpck/s"},
		{"data-10.3.1", CPUs, "CPU %usr"},
		{"data-11.6.5", Disks, "DEV tps"},
		{"data-11.6.5", Interfaces, "IFACE rxpck/s"},
		{"data-11.6.5", InterfaceErrors, "IFACE rxerr/s"},
		{"data-11.6.5", TCP, "active/s passive/s"},
		{"data-11.6.5", TCPErrors, "atmptf/s estres/s"},
		{"data-11.6.5", CPUs, "CPU %usr"},
		{"data-12.0.0", Disks, "DEV tps"},
		{"data-12.0.0", Interfaces, "IFACE rxpck/s"},
		{"data-12.0.0", TCP, "active/s passive/s"},
		{"data-12.0.0", CPUs, "CPU %usr"},
		{"data-12.5.6-A_QUEUE_modified", Interfaces, "IFACE rxpck/s"},
		{"data-extra-12.1.7", CPUs, "CPU %usr"},
		{"data-ppc-11.7.2", Interfaces, "IFACE rxpck/s"},
		{"data-ppc-11.7.2", InterfaceErrors, "IFACE rxerr/s"},
		{"data-ppc-11.7.2", CPUs, "CPU %usr"},
	} {
		t.Run(c.file+" "+c.title, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(dir, "expected."+c.file))
			if err != nil {
				t.Skip(err)
			}
			want := section(string(text), c.title)
			if want == "" {
				t.Fatal("the report does not have it")
			}
			diff(t, rows(dump(t, filepath.Join(dir, c.file), Options{Report: c.report, As: as})), want)
		})
	}
}

// section is the rows below a title, fields apart by one space.
func section(report, title string) string {
	var b strings.Builder
	within := false
	for line := range strings.Lines(report) {
		f := strings.Fields(line)
		switch {
		case len(f) > 2 && f[1]+" "+f[2] == title:
			within = true
		case len(f) == 0:
			within = false
		case within && f[0] != "Average:" && f[1] != "COM":
			b.WriteString(strings.Join(f, " ") + "\n")
		}
	}
	return b.String()
}

// rows are the rows of a dump as sar prints them: time, name, values.
func rows(dump string) string {
	var b strings.Builder
	for line := range strings.Lines(dump) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), ";")
		if len(f) < 5 || strings.HasPrefix(line, "#") {
			continue
		}
		clock := strings.Fields(f[2])[1]
		if f[3] == allCPUs {
			f[3] = "all"
		}
		b.WriteString(clock + " " + strings.Join(f[3:], " ") + "\n")
	}
	return b.String()
}
