package record

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/dayfile"
)

func TestName(t *testing.T) {
	got := dayfile.Name("fs1", time.Date(2011, 5, 9, 2, 0, 5, 999, time.FixedZone("CEST", 7200)))
	if want := "fs1-20110509T000005Z.sa"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestParseName(t *testing.T) {
	begin := at("2011-05-09 00:00:05")
	for base, want := range map[string]string{
		"fs1-20110509T000005Z.sa":        Plain,
		"fs1-20110509T000005Z.sa.zst":    Zstd,
		"fs1-20110509T000005Z.sa.xz":     XZ,
		"fs1-20110509T000005Z.sa.gz":     "",
		"fs1-20110509T000005Z":           "",
		"fs1-20111309T000005Z.sa":        "",
		"fs2-20110509T000005Z.sa":        "",
		"fs11-20110509T000005Z.sa":       "",
		"fs1-a-20110509T000005Z.sa":      "",
		".fs1-20110509T000005Z.sa.part":  "",
		"fs1-20110509T000005Z.sa.sa.zst": "",
	} {
		got, packing, ok := parseName("fs1", base)
		if ok != (want != "") || ok && (packing != want || !got.Equal(begin)) {
			t.Errorf("%s: got %v %q %v", base, got, packing, ok)
		}
	}
}

func FuzzParseName(f *testing.F) {
	f.Add("fs1", "fs1-20110509T000005Z.sa.zst")
	f.Add("a-b", "a-b-20110509T000005Z.sa")
	f.Fuzz(func(t *testing.T, host, base string) {
		begin, packing, ok := parseName(host, base)
		if !ok {
			return
		}
		again := dayfile.Name(host, begin)
		if packing != Plain {
			again += "." + packing
		}
		if again != base {
			t.Errorf("%q becomes %q", base, again)
		}
		if !isPart(host, dayfile.PartPath(base)) && !strings.Contains(base, "/") {
			t.Errorf("the part of %q is not known as one", base)
		}
	})
}

// TestCleanUp: sysstat's own clean-up, which goes by these expressions, and
// by saDD and sarDD in old versions, leaves our files alone.
func TestCleanUp(t *testing.T) {
	expressions := []string{`/sar?[0-9]{2,8}(\.(Z|gz|bz2|xz|lz|lzo))?$`, `/sar?..$`}
	for _, script := range []string{"/usr/lib/sysstat/sa2", "/usr/lib64/sa/sa2"} {
		text, _ := os.ReadFile(script)
		for _, m := range regexp.MustCompile(`SAFILES_REGEX='(.*)'`).FindAllSubmatch(text, -1) {
			expressions = append(expressions, string(m[1]))
		}
	}
	for _, host := range []string{"fs1", "sa", "sa12", "sar20110509"} {
		plain := "/var/log/sa/" + dayfile.Name(host, at("2011-05-09 00:00:05"))
		for _, path := range []string{plain, plain + ".zst", plain + ".xz", dayfile.PartPath(plain), "/var/log/sa/" + lockName(host)} {
			for _, e := range expressions {
				if regexp.MustCompile(e).MatchString(path) {
					t.Errorf("%s is removed by %s", path, e)
				}
			}
		}
	}
}

func TestRemoveParts(t *testing.T) {
	dir := t.TempDir()
	names := []string{
		".fs1-20110509T000005Z.sa.part", ".fs1-20110508T000005Z.sa.zst.part",
		".fs2-20110508T000005Z.sa.part", "fs1-20110509T000005Z.sa", "other.part", lockName("fs1"),
	}
	for _, n := range names {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := removeParts(dir, "fs1"); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{lockName("fs1"), ".fs2-20110508T000005Z.sa.part", "fs1-20110509T000005Z.sa", "other.part"}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
}

func TestDay(t *testing.T) {
	d := dayOf(at("2011-05-09 00:00:05"))
	for s, want := range map[string]bool{
		"2011-05-08 23:59:59": false, "2011-05-09 00:00:00": true, "2011-05-09 23:59:59": true,
		"2011-05-10 00:00:04": true, "2011-05-10 00:00:05": false,
	} {
		if d.covers(at(s)) != want {
			t.Errorf("%s: covered is %v", s, !want)
		}
	}
}
