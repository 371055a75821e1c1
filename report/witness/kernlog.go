package witness

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology/site"
)

// Lines look like
//
//	[Mon Mar  2 09:12:44 2026] sd 6:0:3:0: [sdb] tag#12 UNKNOWN(0x2003) Result: hostbyte=DID_OK
//	2026-03-02T09:12:44+0000 fs1 kernel: blk_update_request: critical medium error, dev sdb, sector 1234
//	Mar  2 09:12:44 fs1 kernel: [12345.678901] ata3: hard resetting link
//	{"__REALTIME_TIMESTAMP":"1772442764000000","_HOSTNAME":"fs1","MESSAGE":"sd 6:0:3:0: rejecting I/O to offline device"}
var (
	dmesgLine  = lazyregexp.New(`^\[([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})\] (.*)$`)
	isoLine    = lazyregexp.New(`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[.,]\d+)?(Z|[+-]\d\d:?\d\d)? (?:(\S+) )?(?:kernel|systemd\S*)(?:\[\d+\])?: (.*)$`)
	syslogLine = lazyregexp.New(`^([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) (\S+) kernel: (.*)$`)
)

// KernelLogReader reads kernel logs: dmesg -T, journalctl -k in its forms, and the files of a
// syslog. It skips lines without a time, because they cannot be compared with an onset. A time
// without a zone is in Zone. A time without a year gets the year that brings it closest to Near.
type KernelLogReader struct {
	Zone *time.Location
	Near int64 // Unix time
}

// line is a message with its time and server.
type line struct {
	at      int64
	server  string
	message string
}

// Read adds the lines of a text that it can parse to a record, and returns their number.
func (r *KernelLogReader) Read(t *site.Text, to *Record) int {
	read := 0
	for i, text := range t.All() {
		l, ok := r.line(text)
		if !ok {
			continue
		}
		read++
		t.Claim(i, i)
		if l.server == "" {
			l.server = t.Host
		}
		to.CoverTime(l.server, l.at)
		if s, ok := statement(l.message); ok {
			s.Server, s.At, s.File, s.Line = l.server, l.at, t.File, t.At(i).Line
			to.Add(s)
		}
	}
	return read
}

func (r *KernelLogReader) line(text string) (l line, ok bool) {
	text = strings.TrimRight(text, "\r")
	if strings.HasPrefix(text, "{") {
		return journal(text)
	}
	if m := dmesgLine.FindStringSubmatch(text); m != nil {
		at, err := time.ParseInLocation("Mon Jan _2 15:04:05 2006", m[1], r.zone())
		return line{at.Unix(), "", m[2]}, err == nil
	}
	if m := isoLine.FindStringSubmatch(text); m != nil {
		at, err := r.iso(m[1], strings.ReplaceAll(m[2], ":", ""))
		return line{at, m[3], m[4]}, err == nil
	}
	if m := syslogLine.FindStringSubmatch(text); m != nil {
		at, err := r.yearless(m[1])
		return line{at, m[2], m[3]}, err == nil
	}
	return l, false
}

func (r *KernelLogReader) zone() *time.Location {
	if r.Zone == nil {
		return time.UTC
	}
	return r.Zone
}

func (r *KernelLogReader) iso(text, zone string) (int64, error) {
	if zone == "" {
		at, err := time.ParseInLocation("2006-01-02T15:04:05", text, r.zone())
		return at.Unix(), err
	}
	at, err := time.Parse("2006-01-02T15:04:05Z0700", text+zone)
	return at.Unix(), err
}

// yearless parses a time without a year, and takes the year that brings it closest to Near.
func (r *KernelLogReader) yearless(text string) (int64, error) {
	near := time.Unix(r.Near, 0).In(r.zone())
	var best int64
	var bad error
	found := false
	for year := near.Year() - 1; year <= near.Year()+1; year++ {
		at, err := time.ParseInLocation("2006 Jan _2 15:04:05", strconv.Itoa(year)+" "+text, r.zone())
		if err != nil {
			bad = err // the 29th of February is not in every year
			continue
		}
		if off := at.Unix() - r.Near; !found || abs(off) < abs(best-r.Near) {
			best, found = at.Unix(), true
		}
	}
	if found {
		return best, nil
	}
	return 0, bad
}

func abs(x int64) int64 { return max(x, -x) }

// journal parses a line of journalctl -o json. A message that is not text is a list of bytes.
func journal(text string) (l line, ok bool) {
	var v struct {
		Time    string          `json:"__REALTIME_TIMESTAMP"`
		Host    string          `json:"_HOSTNAME"`
		Message json.RawMessage `json:"MESSAGE"`
	}
	if json.Unmarshal([]byte(text), &v) != nil {
		return l, false
	}
	micros, err := strconv.ParseInt(v.Time, 10, 64)
	if err != nil || micros <= 0 {
		return l, false
	}
	var message string
	var bytes []byte
	if json.Unmarshal(v.Message, &message) != nil {
		var numbers []uint8
		var wide []uint16
		if json.Unmarshal(v.Message, &wide) == nil {
			for _, b := range wide {
				numbers = append(numbers, uint8(b))
			}
		}
		bytes = numbers
		message = string(bytes)
	}
	return line{micros / 1_000_000, v.Host, message}, message != ""
}

var uptime = lazyregexp.New(`^\[\s*\d+\.\d+\]\s*`)

// signs lists the signs with the form of their messages, the most certain sign first.
var signs = []struct {
	sign Sign
	form *lazyregexp.Regexp
}{
	{MediaError, lazyregexp.New(`(?i)medium error|unrecovered read error|media error|\bUNC\b|uncorrectable error`)},
	{Rejected, lazyregexp.New(`(?i)rejecting I/O to (?:offline|dead) device|device offlined|\bDisabling ata|disabled because of errors|Removing after probe failure`)},
	{TaskAbort, lazyregexp.New(`(?i)task abort|attempting task|aborting (?:command|task)|abort(?:ed|ing)? (?:command|request)|scmd .*abort|I/O \d+ .*aborting`)},
	{Timeout, lazyregexp.New(`(?i)\btime(?:d )?out\b|frozen|not responding|qc timeout`)},
	{LinkReset, lazyregexp.New(`(?i)(?:hard|soft)? ?resetting (?:link|host|device|controller)|\breset(?:ting)? (?:controller|device|occurred)|device reset occurred|link is slow to respond|SATA link (?:up|down)|link down|loss of signal|target reset|host reset|phy.*(?:reset|disabled)`)},
	{IOError, lazyregexp.New(`(?i)I/O error|Buffer I/O error|FAILED Result|lost async page write`)},
	{Hot, lazyregexp.New(`(?i)temperature (?:above|over|threshold|warning)|over.?temperature|thermal|too hot`)},
}

var devices = []*lazyregexp.Regexp{
	lazyregexp.New(`\[((?:sd|vd|hd)[a-z]+)\]`),
	lazyregexp.New(`\bdev(?:ice)? ((?:sd|vd|hd|xvd)[a-z]+|nvme\d+n\d+|dm-\d+)`),
	lazyregexp.New(`\b(nvme\d+n\d+)\b`),
	lazyregexp.New(`\b((?:sd|vd)[a-z]{1,3})\b`),
}

var controller = lazyregexp.New(`\bnvme (nvme\d+):`)

// statement parses a message about a drive. It returns false if there is no sign in the message. A
// message about an NVMe controller counts for its first namespace.
func statement(message string) (s Statement, ok bool) {
	message = uptime.ReplaceAllString(message, "")
	for _, x := range signs {
		if !x.form.MatchString(message) {
			continue
		}
		s.Sign = x.sign
		for _, form := range devices {
			if m := form.FindStringSubmatch(message); m != nil {
				s.Device = m[1]
				return s, true
			}
		}
		if m := controller.FindStringSubmatch(message); m != nil {
			s.Device = m[1] + "n1"
		}
		return s, s.Device != "" || storage.MatchString(message)
	}
	return s, false
}

// storage matches the messages of storage drivers. Other parts of the kernel report timeouts, too.
var storage = lazyregexp.New(`^(?:ata\d|sd |scsi|nvme|mpt\dsas|megaraid|hpsa|smartpqi|qla|lpfc|end_device|device-mapper|dm-|md/|blk_|Buffer I/O|I/O error|sas)`)
