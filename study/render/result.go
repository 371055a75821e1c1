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

// A Result holds the findings of a study and facts about its input.
type Result struct {
	Input Input
	*study.Findings
	Pictures picture.Style // characters of drawings in text
}

// An Input holds the counts of the rows and records that were read.
type Input struct {
	Paths       []string
	WrongRows   int64    // rows that are left out: without time or drive, or with too few fields
	WrongValues int64    // values that are taken as missing: negative, infinite, not a number
	Records     int64    // records that were folded to drive hours; 0: each record is a drive hour
	Folded      int64    // records that were added to another record of the same drive and hour
	Repeated    int64    // records that are left out: the drive already has a record at this time
	Edge        int64    // records that are left out: too little of the first or last hour is covered
	First       []string // the first few errors
}

// Formats returns the formats of Write, the default first.
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
	return fmt.Errorf("format %q is unknown: use one of %s", format, strings.Join(Formats(), ", "))
}

// noun returns the word for the drives of a part.
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

// subject returns a text with the drives of the findings.
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

// parityAside returns a text with the number of parity drives, so that a reader who knows the
// size of the fleet finds all drives.
func parityAside(f *study.Findings) string {
	for i := range f.Accounts {
		if n := f.Accounts[i].ParityOut; n > 0 {
			return fmt.Sprintf("; only data drives are counted (%s left out)", count(n, "parity drive"))
		}
	}
	return ""
}

// span returns a text with the period of the findings.
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

// stamp is the layout of times in texts.
const stamp = "2006-01-02 15:04"

func clock(hour int32) time.Time {
	return time.Unix(int64(hour)*int64(time.Hour/time.Second), 0).UTC()
}

// mainThreshold returns the threshold of the questions that T16 answers at one threshold only:
// study.Slow, or the largest threshold if the study does not have study.Slow.
func mainThreshold(f *study.Findings) float64 {
	if slices.Contains(f.Thresholds, study.Slow) || len(f.Thresholds) == 0 {
		return study.Slow
	}
	return f.Thresholds[len(f.Thresholds)-1]
}
