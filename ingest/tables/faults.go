package tables

import (
	"cmp"
	"fmt"

	"github.com/limpet-storage/limpet/ingest"
	"github.com/limpet-storage/limpet/ingest/tabular"
	"github.com/limpet-storage/limpet/internal/english"
)

// A faultText makes the text of a warning about some kinds of faults. The field text is
// the function that makes the text. Its parameters are the number of faults (n), the
// first fault, the format of times, and a hint on how to correct the first fault.
type faultText struct {
	faults []tabular.Fault
	text   func(n int, first, format, hint string) string
}

// faultTexts lists the texts of warnings, in the order in which a line is checked for faults.
var faultTexts = []faultText{
	{[]tabular.Fault{tabular.BadQuotes, tabular.LongLine}, func(n int, first, _, _ string) string {
		return fmt.Sprintf("%s left out, because a quote is not closed or a line has more than %d kB; correct the file. The first of these lines is %s", countAre(n, "line"), tabular.MaxRecord>>10, first)
	}},
	{[]tabular.Fault{tabular.ShortLine}, func(n int, first, _, _ string) string {
		return fmt.Sprintf("%s fewer fields than the header (the first of these lines is %s); limpet counts the absent fields as missing values: if the file is incomplete, export the table again", countHave(n, "line"), first)
	}},
	{[]tabular.Fault{tabular.ManyFields}, func(n int, first, _, _ string) string {
		return fmt.Sprintf("%s left out, because a line has more fields than the header (the first of these lines is %s); if a field contains the separator, such as a number with a decimal comma, put the field in quotes", countAre(n, "line"), first)
	}},
	{[]tabular.Fault{tabular.MissingTime, tabular.BadTime}, func(n int, first, format, hint string) string {
		return fmt.Sprintf("%s left out, because the time is not in the format %s (the first of these lines is %s); under \"time\" in the description file, %s", countAre(n, "line"), format, first, cmp.Or(hint, "write the format of the time"))
	}},
	{[]tabular.Fault{tabular.StrangeTime}, func(n int, first, _, _ string) string {
		return fmt.Sprintf("%s left out, because the time is not between 1970 and 2200 (the first of these lines is %s); write the unit of the time under \"time\" in the description file, such as format: unix_ms", countAre(n, "line"), first)
	}},
	{[]tabular.Fault{tabular.SkippedTime}, func(n int, first, _, _ string) string {
		return fmt.Sprintf("%s left out, because this local time does not exist: clocks were set forward (the first of these lines is %s); correct the time zone, or write times in UTC", countAre(n, "line"), first)
	}},
	{[]tabular.Fault{tabular.MissingName}, func(n int, _, _, _ string) string {
		return fmt.Sprintf("%s left out, because the name of the component or of the group is empty; fill in the names", countAre(n, "line"))
	}},
	{[]tabular.Fault{tabular.NotNumber}, missingText("not numeric")},
	{[]tabular.Fault{tabular.Negative}, missingText("below zero")},
	{[]tabular.Fault{tabular.Infinite}, missingText("infinite")},
	{[]tabular.Fault{tabular.Unbelievable}, missingText("implausibly large")},
}

// missingText returns a function that makes the text of a warning about implausible values, which
// count as missing.
func missingText(what string) func(int, string, string, string) string {
	return func(n int, first, _, hint string) string {
		return fmt.Sprintf("%s %s; limpet counts these values as missing (the first is %s); %s", countAre(n, "value"), what, first, cmp.Or(hint, "write NA for missing values"))
	}
}

// warnings returns the warnings about the faults of a file, at most one for each entry of
// faultTexts. A warning names the line of the first fault. limpet divides a large file into parts,
// and before[i] is the number of lines before part i. The parameter `format` is the expected format
// of times, which a warning about times quotes.
func warnings(file string, faults *tabular.Faults, before []int64, format string) []ingest.Warning {
	var all []ingest.Warning
	for _, t := range faultTexts {
		n := int(faults.Count(t.faults...))
		if n == 0 {
			continue
		}
		first := faults.FirstOf(t.faults...)
		example := first.Text
		if t.faults[0] >= tabular.NotNumber {
			example += " in column " + first.Column
		}
		line := before[first.Part] + first.Row + 1
		all = append(all, ingest.Warning{File: file, Line: int(line), Text: t.text(n, example, format, first.Detail)})
	}
	return all
}

func countAre(n int, noun string) string {
	return english.Count(n, noun) + english.Verb(n, " is", " are")
}
func countHave(n int, noun string) string { return english.Count(n, noun) + " " + has(n) }
func has(n int) string                    { return english.Verb(n, "has", "have") }

// warnings returns the warnings about the faults of the file, and about ambiguous local
// times.
func (r *reader) warnings(file string) []ingest.Warning {
	all := warnings(file, &r.faults, r.before, r.Time.Clock.Format())
	if r.undecided > 0 {
		all = append(all, ingest.Warning{File: file, Text: fmt.Sprintf(
			"the time of %s is not unique, because clocks were set back and one hour occurred twice; sort the lines of each component by time, or write times in UTC", english.Count(r.undecided, "sample"))})
	}
	return all
}
