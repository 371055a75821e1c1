package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/printable"
	"github.com/limpet-storage/limpet/report/picture"
	"github.com/limpet-storage/limpet/study"
)

// A Result is the findings of a study and what they were made of.
type Result struct {
	Input Input
	*study.Findings
	Pictures picture.Style // the characters of pictures in text
}

// An Input is what was read.
type Input struct {
	Paths       []string
	WrongRows   int64    // left out: no time, no drive, too few fields
	WrongValues int64    // taken as missing: negative, infinite, no number
	Records     int64    // that drive hours were made of; 0 where each was one
	Folded      int64    // of them, added to one of the same drive and hour
	Repeated    int64    // of them, left out: of a drive at a time that it had a record of already
	Edge        int64    // of them, left out: of an hour that the data only touch, at their begin or end
	First       []string // the first few rows with something wrong
}

// Formats are those that Write knows, the default first.
func Formats() []string { return []string{"text", "json", "csv"} }

// Write writes a result in one of the formats.
func Write(w io.Writer, format string, r *Result) error {
	switch format {
	case "text":
		return Text(printable.NewWriter(w), r)
	case "json":
		return JSON(w, r)
	case "csv":
		return CSV(w, r)
	}
	return fmt.Errorf("format %q is unknown: use %s", format, strings.Join(Formats(), ", "))
}

// noun is what the drives of a part are called.
func noun(p *study.Part) string {
	name := map[string]string{study.Disk.String(): "disks", study.SSD.String(): "SSDs"}[p.Kind]
	if name == "" {
		name = "drives"
	}
	if p.Direction != study.All.String() {
		name += " (" + p.Direction + ")"
	}
	return name
}

// subject says of which drives the findings are.
func subject(f *study.Findings) string {
	var all []string
	for _, p := range f.Parts {
		all = append(all, fmt.Sprintf("%s %s in %s", english.Thousands(p.Drives), noun(p), count(p.Groups, "group")))
	}
	if len(all) == 0 {
		return "no drives"
	}
	last := len(all) - 1
	if last == 0 {
		return all[0]
	}
	return strings.Join(all[:last], ", ") + " and " + all[last]
}

// parityAside returns how many parity drives the fleet has besides, so that a reader who
// knows its size finds all drives.
func parityAside(f *study.Findings) string {
	for i := range f.Accounts {
		if n := f.Accounts[i].ParityOut; n > 0 {
			return fmt.Sprintf("; only data drives are counted (%s left out)", count(n, "parity drive"))
		}
	}
	return ""
}

// span says of which time they are.
func span(f *study.Findings) string {
	if f.From == f.To {
		return "no hours"
	}
	const day = 24
	text := fmt.Sprintf("%s to %s UTC", clock(f.From).Format(stamp), clock(f.To).Format(stamp))
	if n := int64(f.To - f.From); n >= 2*day {
		return text + " (" + count(n/day, "day") + ")"
	}
	return text
}

// stamp is how times are written for people.
const stamp = "2006-01-02 15:04"

func clock(hour int32) time.Time {
	return time.Unix(int64(hour)*int64(time.Hour/time.Second), 0).UTC()
}

// mainThreshold is that of questions which T16 asks of one only.
func mainThreshold(f *study.Findings) float64 {
	if slices.Contains(f.Thresholds, study.Slow) || len(f.Thresholds) == 0 {
		return study.Slow
	}
	return f.Thresholds[len(f.Thresholds)-1]
}
