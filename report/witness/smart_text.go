package witness

import (
	"strconv"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology/site"
)

// smartctl -a and -x print, of ATA, SCSI and NVMe drives:
//
//	smartctl 7.2 2020-12-30 r5155 [x86_64-linux-5.14.0] (local build)
//	Serial Number:    ZL2A9XYZ
//	LU WWN Device Id: 5 000c50 0a1b2c3d4
//	Local Time is:    Mon Mar  2 09:12:44 2026 UTC
//	SMART overall-health self-assessment test result: PASSED
//	  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       8
//	  5 Reallocated_Sector_Ct   PO--CK   100   100   010    -    8
//	Elements in grown defect list: 12
//	Media and Data Integrity Errors:    3
var (
	versionLine   = lazyregexp.New(`^smartctl \d`)
	keyLine       = lazyregexp.New(`^([A-Z][A-Za-z0-9 /-]+?):\s+(.*?)\s*$`)
	attributeLine = lazyregexp.New(`^\s*(\d{1,3}) [A-Za-z_0-9-]+\s+(?:0x[0-9a-f]{4}|[POSRCK+-]{6})\s.*?\s(\d+)(?:\s.*)?$`)
	rawValue      = lazyregexp.New(`\s-\s+(\d+)`)
	errorRow      = lazyregexp.New(`^(?:read|write|verify):\s.*\s(\d+)$`)
	celsius       = lazyregexp.New(`^(\d+) (?:C|Celsius)`)
)

// readText returns a snapshot of each output in a text.
func readText(t *site.Text) []*snapshot {
	var list []*snapshot
	var s *snapshot
	for i, line := range t.All() {
		if versionLine.MatchString(line) || s == nil && isHealth(line) {
			s = &snapshot{}
			s.Line = t.At(i).Line
			list = append(list, s)
		}
		if s != nil && s.take(line, t.At(i).Line) {
			t.Claim(i, i)
		}
	}
	var known []*snapshot
	for _, s := range list {
		if s.known {
			known = append(known, s)
		}
	}
	return known
}

// isHealth recognizes an output whose first line is missing.
func isHealth(line string) bool {
	return strings.HasPrefix(line, "=== START OF") || strings.HasPrefix(line, "SMART overall-health") || strings.HasPrefix(line, "SMART Health Status:")
}

func (s *snapshot) take(line string, number int) bool {
	if m := attributeLine.FindStringSubmatch(line); m != nil {
		return s.attribute(m[1], line, number)
	}
	if m := errorRow.FindStringSubmatch(line); m != nil {
		s.note(MediaError, count(m[1]), number)
		return true
	}
	m := keyLine.FindStringSubmatch(line)
	return m != nil && s.field(m[1], m[2], number)
}

// attribute reads a line of the table of ATA drives.
func (s *snapshot) attribute(id, line string, number int) bool {
	n, _ := strconv.Atoi(id)
	sign, counts := attributes[n]
	raw := rawValue.FindStringSubmatch(line)
	if raw == nil {
		return false
	}
	switch value := count(raw[1]); {
	case n == 194 || n == 190:
		s.note(Hot, value, number)
	case counts && value < mostCount:
		s.note(sign, value, number)
	}
	return true
}

// field reads a line with a key and a value.
func (s *snapshot) field(key, value string, number int) bool {
	switch key {
	case "Serial Number", "Serial number":
		s.Serial = value
	case "LU WWN Device Id", "Logical Unit id":
		s.WWN = wwn(value)
	case "Local Time is":
		s.At = localTime(value)
	case "SMART overall-health self-assessment test result", "SMART Health Status":
		s.known = true
		if value != "PASSED" && value != "OK" {
			s.note(Failing, 1, number)
		}
	case "Elements in grown defect list":
		s.note(Reallocated, count(value), number)
	case "Media and Data Integrity Errors":
		s.note(MediaError, count(value), number)
	case "Percentage Used":
		s.note(Worn, count(strings.TrimSuffix(value, "%")), number)
	case "Critical Warning":
		warning, _ := strconv.ParseUint(strings.TrimPrefix(value, "0x"), 16, 32)
		s.note(Failing, float64(warning), number)
	case "Current Drive Temperature", "Temperature":
		if m := celsius.FindStringSubmatch(value); m != nil {
			s.note(Hot, count(m[1]), number)
		}
	default:
		return false
	}
	return true
}

// count parses a number such as 1,234.
func count(text string) float64 {
	n, err := strconv.ParseUint(strings.ReplaceAll(text, ",", ""), 10, 52)
	if err != nil {
		return 0
	}
	return float64(n)
}

// localTime parses a time with its zone; 0: the zone is unknown.
func localTime(text string) int64 {
	at, err := time.Parse("Mon Jan _2 15:04:05 2006 MST", text)
	if name, off := at.Zone(); err != nil || off == 0 && name != "UTC" && name != "GMT" {
		return 0 // the abbreviation of a zone is ambiguous
	}
	return at.Unix()
}
