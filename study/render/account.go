package render

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// A line of an account: so many of what, and why.
type line struct {
	name string // that does not change
	n    int64
	text string
}

// leftOut are the rows that do not count, with the reason.
func leftOut(a *study.DirectionAccount) []line {
	return []line{
		{"parity", a.Parity, "of parity drives, which reads do not need"},
		{"idle", a.Idle, "of hours without I/O"},
		{"no_latency", a.NoLatency, "without a latency"},
		{"zero_latency", a.ZeroLatency, "with a latency of zero, which no request has"},
		{"invalid", a.Invalid, "with a number that is negative, infinite or beyond belief"},
		{"duplicate", a.Duplicate, "of a drive and hour that has another; that with the most I/Os counts"},
		{"narrow", a.Narrow, "in hours of groups with fewer than 3 drives at work: no median means anything"},
		{"mixed", a.Mixed, "in hours of groups with disks and SSDs beside each other, which are no peers"},
	}
}

// wholeAccount is every count.
func wholeAccount(a *study.DirectionAccount) []line {
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
func groupsOut(a *study.DirectionAccount) []line {
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
	}
}

// folded are records that are no drive hour of their own, where they are finer
// than hours.
func folded(i *Input) []line {
	return []line{
		{"folded", i.Folded, "added to one of the same drive and hour"},
		{"repeated", i.Repeated, "of a drive at a time that it had a record of already, left out"},
		{"edge", i.Edge, "of an hour that the data only touch, at their begin or end, left out"},
	}
}

// counts are the lines that are not zero.
func counts(lines []line) []line {
	return slices.DeleteFunc(lines, func(l line) bool { return l.n == 0 })
}

// row is what the rows of an account are: records, unless those are finer than
// hours.
func (i *Input) row() string {
	if i.Records > 0 {
		return "drive hour"
	}
	return "row"
}

// heading says what an account is of.
func heading(a *study.DirectionAccount, i *Input) string {
	text := fmt.Sprintf("of %s %s count", count(a.Rows, i.row()), english.Thousands(a.Counted))
	if a.Direction != "all" {
		return a.Direction + ": " + text
	}
	return capital(text)
}

// foldedHeading says what became of records that are finer than hours.
func foldedHeading(i *Input) string {
	hours := i.Records - i.Folded - i.Repeated - i.Edge
	return fmt.Sprintf("Of %s %s are made", count(i.Records, "record"), count(hours, "drive hour"))
}

// exactness says what is exact and what is not.
func exactness(f *study.Findings) string {
	return fmt.Sprintf("Values are taken to seven digits (32-bit floats); medians, ratios, counts and shares of these are exact. "+
		"Slowdowns at a share of the hours are lower ends of bins that are 0.54 %% wide. "+
		"Intervals are a bootstrap over groups, since drives of a group are not independent. They are meant to hold the true value in %.0f of 100 fleets, "+
		"and hold it in fewer where few groups have what they are of.", 100*f.Level)
}
