package witness

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
)

var near = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Unix()

func read(text string) (*Record, int) {
	r, record, n := KernelLogReader{Near: near}, &Record{}, 0
	for _, t := range site.Cut("fs1/kern.log", []byte(text)) {
		if t.Host == "" {
			t.Host = "fs1"
		}
		n += r.Read(t, record)
	}
	return record, n
}

// TestForms: one event in every form that logs have is one statement at one time.
func TestForms(t *testing.T) {
	const message = "sd 6:0:3:0: [sdb] tag#12 Sense Key : Medium Error [current]"
	for _, text := range []string{
		"[Mon Mar  2 09:12:44 2026] " + message,
		"2026-03-02T09:12:44+0000 fs1 kernel: " + message,
		"2026-03-02T10:12:44+01:00 fs1 kernel: " + message,
		"2026-03-02T09:12:44.123456+00:00 fs1 kernel: " + message,
		"Mar  2 09:12:44 fs1 kernel: [12345.678901] " + message,
		`{"__REALTIME_TIMESTAMP":"1772442764000000","_HOSTNAME":"fs1","MESSAGE":"` + message + `"}`,
		`{"__REALTIME_TIMESTAMP":"1772442764000000","_HOSTNAME":"fs1","MESSAGE":[115,100,32,91,115,100,98,93,32,109,101,100,105,117,109,32,101,114,114,111,114]}`,
	} {
		record, n := read(text)
		got := record.Of(&topology.Component{Server: "fs1", Device: "sdb"}, near, near+3600)
		if n != 1 || len(got) != 1 || got[0].Sign != MediaError || got[0].First != near+12*60+44 || got[0].Line != 1 {
			t.Errorf("%s: %d read, %+v", text, n, got)
		}
	}
}

// TestMessages: what messages say, and of whom.
func TestMessages(t *testing.T) {
	for message, want := range map[string]string{
		"blk_update_request: critical medium error, dev sdc, sector 1234 op 0x0:(READ)":          "0 sdc",
		"blk_update_request: I/O error, dev sdc, sector 99":                                      "1 sdc",
		"sd 6:0:3:0: [sdb] rejecting I/O to offline device":                                      "2 sdb",
		"sd 6:0:3:0: rejecting I/O to offline device":                                            "2 ",
		"sd 6:0:3:0: attempting task abort! scmd(00000000a1b2c3d4)":                              "3 ",
		"nvme nvme0: I/O 12 QID 3 timeout, aborting":                                             "3 nvme0n1",
		"ata3.00: qc timeout (cmd 0xec)":                                                         "4 ",
		"ata3: hard resetting link":                                                              "5 ",
		"sd 6:0:3:0: Power-on or device reset occurred":                                          "5 ",
		"nvme nvme1: resetting controller":                                                       "5 nvme1n1",
		"EXT4-fs (sda1): mounted filesystem":                                                     "",
		"CPU3: Core temperature above threshold, cpu clock throttled":                            "",
		"task nfsd:1234 blocked for more than 120 seconds: timeout of a lease, nothing of disks": "",
		"INFO: rcu detected stall, timeout":                                                      "",
	} {
		s, ok := statement(message)
		got := ""
		if ok {
			got = fmt.Sprintf("%d %s", s.Sign, s.Device)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}

// TestYear: a time without a year is of the year that brings it closest.
func TestYear(t *testing.T) {
	r := KernelLogReader{Near: time.Date(2026, 1, 1, 0, 5, 0, 0, time.UTC).Unix()}
	at, err := r.yearless("Dec 31 23:59:00")
	if want := time.Date(2025, 12, 31, 23, 59, 0, 0, time.UTC).Unix(); err != nil || at != want {
		t.Errorf("%d, want %d: %v", at, want, err)
	}
}

// TestCovers: a log that begins late says nothing of the time before.
func TestCovers(t *testing.T) {
	record, _ := read(strings.Repeat("Mar  2 09:12:44 fs1 kernel: nothing of note\n", 2) + "Mar  2 11:00:00 fs1 kernel: nor here\n")
	if !record.Covers("fs1", near+1800) || record.Covers("fs1", near) || record.Covers("fs2", near+1800) {
		t.Error("what a log covers")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("[Mon Mar  2 09:12:44 2026] sd 6:0:3:0: [sdb] Medium Error")
	f.Add("Feb 29 09:12:44 fs1 kernel: [12345.6] ata3: hard resetting link\n")
	f.Add(`{"__REALTIME_TIMESTAMP":"1772442764000000","MESSAGE":[1,2,999]}`)
	f.Add("2026-03-02T09:12:44+0000 fs1 kernel: blk_update_request: I/O error, dev sdb")
	f.Fuzz(func(t *testing.T, text string) {
		record, _ := read(text)
		for _, server := range record.Servers() {
			record.Around(server, func(string) bool { return false }, 0, near)
		}
	})
}
