package sysstat

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// sharedDir is the reference material beside the repository.
func sharedDir(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(".")
	for ; err == nil; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if root == filepath.Dir(root) {
			t.Skip("no go.mod above the package")
		}
	}
	dir := filepath.Join(root, "..", "shared", "data", "sysstat")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no reference files: %v", err)
	}
	return dir
}

// Each reference file is read, or refused with the reason.
func TestSharedFiles(t *testing.T) {
	dir := sharedDir(t)
	upstream := map[string]string{
		"data-9.1.5":                   "linux-3.home 9.1.5 +7200 S12:45:28 S12:45:29",
		"data-9.1.6":                   "kluane.home 9.1.6 +3600 R08:16:11(8) C08:16:56(Test sysstat 9.1.6) S08:17:01 S08:17:02",
		"data-10.3.1":                  "kluane.home 10.3.1 +3600 R08:14:56(8) C08:15:05(Test sysstat 10.3.1) S08:15:09 S08:15:10",
		"data-11.6.5":                  "linux.home 11.6.5 +7200 R09:33:38(8) S09:33:48 C09:34:30(Hello, world!) S09:34:34",
		"data-12.0.0":                  "linux.home 12.0.0 +7200 R05:39:21(8) S05:39:33 S05:39:34 C05:40:26(Hello world!)",
		"data-12.5.6-A_QUEUE_modified": "linux-1.home 12.5.6 +3600 S07:55:24 S07:55:25",
		"data-extra-12.1.7":            "localhost.localdomain 12.1.7 +5558 R09:33:20(2) S09:36:40 S09:38:20",
		"data-non-printable":           "linux.home 12.2.0 +3600 C10:12:50(Hello..o.ld!)",
		"data-ppc-11.7.2":              "partch 11.5.5 +18090 S15:23:05 S19:43:21 S00:03:37",
		"data-trunc":                   "SYSSTAT.TEST 12.1.5 +0 W(the file ends inside a record)",
		"data-ukwn":                    "localhost.localdomain 12.1.7 +5558 S09:33:20 S09:36:40",
		"data-ukwn0":                   "localhost.localdomain 12.1.7 +5558 S09:33:20 S09:36:40",
		"data-ukwn1":                   "localhost.localdomain 12.5.6 +3600 S13:26:31 S13:26:32 S13:26:33",

		"data-12.6.0-file_act-MAP_SIZE_types_nr-err":     "! activity 2: an item has 16 bytes, but its fields need 32 bytes",
		"data-12.6.0-file_act-nr-0-err":                  "! activity 2: the number of items is 0",
		"data-12.6.0-file_act-nr-err":                    "! activity 2: the number of items is 268435457",
		"data-12.6.0-file_act-nr-nr_max-err":             "! activity 2: the number of items is 2",
		"data-12.6.0-file_act-nr2-0-err":                 "! activity 2: the number of parts of an item is 0",
		"data-12.6.0-file_act-size-0-err":                "! activity 2: an item has 0 bytes",
		"data-12.6.0-file_act-size-err":                  "! activity 2: an item has 1025 bytes",
		"data-12.6.0-file_act-types_nr-SARerr":           "! activity 2: the fields of an item (numbers of long long, long and int fields: [0 2 0]) do not match the format 0x8b",
		"data-12.6.0-file_hdr-MAP_SIZE_act_types_nr-err": "! the header states activities of 36 bytes with 56 bytes of fields",
		"data-12.6.0-file_hdr-MAP_SIZE_rec_types_nr-err": "! the header states record headers of 24 bytes with 40 bytes of fields",
		"data-12.6.0-file_hdr-rec_size-err":              "! the header states record headers of 513 bytes",
		"data-12.6.0-file_hdr-sa_act_nr-err":             "! the header states 257 activities",
		"data-12.7.1-A_IRQ_overflow":                     "! activity 3: ",
	}
	recorded := map[string]string{
		"rot-sa20261114":           "vm 12.6.1 13",
		"rot-sa20261115":           "vm 12.6.1 13",
		"sa-v9.1.6-x86_64":         "vm 9.1.6 30",
		"sa-v10.1.5-x86_64":        "vm 10.1.5 30",
		"sa-v11.2.0-x86_64":        "vm 11.2.0 30",
		"sa-v11.6.5-x86_64":        "vm 11.6.5 30",
		"sa-v11.6.5-i686":          "vm 11.6.5 15",
		"sa-v11.6.5-s390x":         "vm 11.6.5 15",
		"sa-v11.7.3-x86_64":        "vm 11.7.3 30",
		"sa-v12.0.2-x86_64":        "vm 12.0.2 30",
		"sa-v12.0.2-i686":          "vm 12.0.2 15",
		"sa-v12.0.2-s390x":         "vm 12.0.2 15",
		"sa-v12.1.2-x86_64":        "vm 12.1.2 30",
		"sa-v12.2.0-x86_64":        "vm 12.2.0 30",
		"sa-v12.4.0-x86_64":        "vm 12.4.0 30",
		"sa-v12.5.2-x86_64":        "vm 12.5.2 30",
		"sa-v12.5.4-x86_64":        "vm 12.5.4 30",
		"sa-v12.6.1-x86_64":        "vm 12.6.1 120",
		"sa-v12.6.1-i686":          "vm 12.6.1 15",
		"sa-v12.6.1-s390x":         "vm 12.6.1 15",
		"sa-v12.6.1-appear-x86_64": "vm 12.6.1 24",
		"sa-v12.7.5-x86_64":        "vm 12.7.5 30",
		"sa-v12.7.6-x86_64":        "vm 12.7.6 30",
		"sa-v12.7.9-x86_64":        "vm 12.7.9 30",
		"sa-v12.8.0dev-x86_64":     "vm 12.8.0 30",
	}
	old := map[string]string{
		"csb6-rhel6.bin.xz":   "fche.csb6 9.0.4 144",
		"sa-sysstat-9.0.4.xz": "smash 9.0.4 36",
		"sa-sysstat-9.0.6.xz": "bozo 9.0.6 37",
	}
	for _, c := range []struct {
		dir  string
		want map[string]string
		tell func(path string) string
	}{
		{dir, upstream, story},
		{filepath.Join(dir, "generated"), recorded, summary},
		{filepath.Join(dir, "old"), old, summary},
	} {
		entries, err := os.ReadDir(c.dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() || strings.HasPrefix(e.Name(), "expected") || strings.Contains(e.Name(), ".sadf-") {
				continue
			}
			t.Run(e.Name(), func(t *testing.T) {
				want, named := c.want[e.Name()]
				if !named {
					t.Fatal("nothing is expected of this file: name it in the table")
				}
				if got := c.tell(filepath.Join(c.dir, e.Name())); !strings.HasPrefix(got, want) || !strings.HasPrefix(want, "!") && got != want {
					t.Errorf("got  %s\nwant %s", got, want)
				}
			})
		}
	}
}

// story tells a file: host, version, offset from UTC at first, then each
// record by type and time as sar shows it with TZ=GMT, and each warning.
func story(path string) string {
	r, err := Open(path)
	var refused *FormatError
	if errors.As(err, &refused) {
		return "! " + refused.What
	}
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	var words []string
	first := 0
	for {
		rec, err := r.Next()
		if err != nil {
			break
		}
		if len(words) == 0 {
			first = rec.UTCOffset
		}
		clock := time.Unix(rec.Time, 0).UTC().Format(time.TimeOnly)
		switch rec.Type {
		case Stats:
			words = append(words, "S"+clock)
		case Restart:
			words = append(words, fmt.Sprintf("R%s(%d)", clock, rec.CPUCount))
		case Comment:
			words = append(words, fmt.Sprintf("C%s(%s)", clock, rec.Comment()))
		}
	}
	for _, w := range r.Warnings() {
		words = append(words, "W("+w.What+")")
	}
	h := r.Header()
	return fmt.Sprintf("%s %v %+d %s", h.Hostname, h.Version, first, strings.Join(words, " "))
}

// summary tells a file by host, version and number of records.
func summary(path string) string {
	r, err := Open(path)
	if err != nil {
		return err.Error()
	}
	defer r.Close()
	n := 0
	for ; err == nil; n++ {
		_, err = r.Next()
	}
	if err != io.EOF || len(r.Warnings()) > 0 {
		return fmt.Sprint(err, r.Warnings())
	}
	return fmt.Sprintf("%s %v %d", r.Header().Hostname, r.Header().Version, n-1)
}

// The pair of files about a rotation is one stream without a repetition.
func TestSharedRotation(t *testing.T) {
	dir := filepath.Join(sharedDir(t), "generated")
	a, b := filepath.Join(dir, "rot-sa20261114"), filepath.Join(dir, "rot-sa20261115")
	j, err := OpenAll([]string{b, a})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	n, last := 0, int64(0)
	for {
		rec, err := j.Next()
		if err == io.EOF {
			break
		}
		if err != nil || rec.Time <= last || rec.Restarted {
			t.Fatalf("record %d: %+v %v", n, rec, err)
		}
		n, last = n+1, rec.Time
	}
	if n != 25 || len(j.Warnings()) > 0 {
		t.Errorf("%d records, %v", n, j.Warnings())
	}
}
