package report

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/study/finding"
)

// A line of an account: so many of what, and why.
type line struct {
	name string // that does not change
	n    int64
	text string
}

// leftOut are the rows that do not count, with the reason.
func leftOut(a *finding.Account) []line {
	return []line{
		{"parity", a.Parity, "of parity drives, which reads do not need"},
		{"idle", a.Idle, "of hours without I/O"},
		{"no_latency", a.NoLatency, "without a latency"},
		{"zero_latency", a.ZeroLatency, "with a latency of zero, which no request has"},
		{"invalid", a.Invalid, "with a negative or infinite number"},
		{"duplicate", a.Duplicate, "of a drive and hour that has another; that with the most I/Os counts"},
		{"narrow", a.Narrow, "in hours of groups with fewer than 3 drives at work: no median means anything"},
		{"mixed", a.Mixed, "in hours of groups with disks and SSDs beside each other, which are no peers"},
	}
}

// wholeAccount is every count.
func wholeAccount(a *finding.Account) []line {
	first := []line{
		{"rows", a.Rows, "read"},
		{"counted", a.Counted, "that count"},
		{"groups", a.Groups, "groups with an hour that counts"},
		{"drives", a.Drives, "drives in them"},
	}
	return slices.Concat(first, leftOut(a), groupsOut(a))
}

// groupsOut are groups, their hours and drives that do not count, or count
// otherwise than one may think.
func groupsOut(a *finding.Account) []line {
	return []line{
		{"idle_hours", a.IdleHours, "hours of groups without a drive at work"},
		{"narrow_hours", a.NarrowHours, "hours of groups with 1 or 2 drives at work"},
		{"mixed_hours", a.MixedHours, "hours of groups with several kinds of drives"},
		{"groups_out", a.GroupsOut, "groups without an hour that counts"},
		{"parity_drives", a.ParityOut, "parity drives"},
		{"moved", a.Moved, "drives that changed groups, with a history of their own in each"},
	}
}

// wrong are rows that could not be taken as they are.
func wrong(i *Input) []line {
	return []line{
		{"wrong_rows", i.WrongRows, "that cannot be read: no time, no drive, too few fields"},
		{"wrong_values", i.WrongValues, "with a value that is no good: taken as missing"},
		{"repeated", i.Repeated, "of a drive at a time that it had a record of already"},
	}
}

// counts are the lines that are not zero.
func counts(lines []line) []line {
	var out []line
	for _, l := range lines {
		if l.n != 0 {
			out = append(out, l)
		}
	}
	return out
}

// heading says what an account is of.
func heading(a *finding.Account) string {
	text := fmt.Sprintf("Of %s %s count", counted(a.Rows, "row"), thousands(a.Counted))
	if a.Direction != "all" {
		text = a.Direction + ": of " + text[len("Of "):]
	}
	return text
}

// exactness says what is exact and what is not.
func exactness(f *finding.Findings) string {
	return fmt.Sprintf("Medians, ratios and counts are exact, and so are shares. Slowdowns at a share of the hours are lower ends of bins that are 0.54 %% wide. "+
		"Intervals hold the true value in %.0f of 100 fleets: a bootstrap over groups, since drives of a group are not independent.", 100*f.Level)
}
