package render

import (
	"fmt"
	"slices"

	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/study"
)

// A line is a line of an account: a count and its meaning.
type line struct {
	name string // stable name, for programs
	n    int64
	text string // description of the counted rows, groups or drives
}

// leftOut returns the counts of rows that are left out, by the reason.
func leftOut(a *study.DirectionAccount) []line {
	return []line{
		{"parity", a.Parity, "left out because the drive is a parity drive, which reads do not need"},
		{"idle", a.Idle, "left out because the hour has no I/O"},
		{"no_latency", a.NoLatency, "left out because the latency is missing"},
		{"zero_latency", a.ZeroLatency, "left out because the latency is zero, which is not possible"},
		{"invalid", a.Invalid, "left out because a number is negative, infinite or implausibly large"},
		{"duplicate", a.Duplicate, "left out because another row has the same drive and hour; limpet uses the row with the most I/Os"},
		{"narrow", a.Narrow, "left out because the group has fewer than 3 busy drives in this hour, too few for a median"},
		{"mixed", a.Mixed, "left out because the group has both disks and SSDs, which are not peers"},
	}
}

// wholeAccount returns all counts of an account.
func wholeAccount(a *study.DirectionAccount) []line {
	first := []line{
		{"rows", a.Rows, "read"},
		{"counted", a.Counted, "counted"},
		{"groups", a.Groups, "groups with at least one counted hour"},
		{"drives", a.Drives, "drives in these groups"},
	}
	return slices.Concat(first, leftOut(a), groupsOut(a))
}

// groupsOut returns the counts of groups, group hours and drives that are left out, and of drives
// that changed groups.
func groupsOut(a *study.DirectionAccount) []line {
	return []line{
		{"idle_hours", a.IdleHours, "hours of groups without a busy drive"},
		{"narrow_hours", a.NarrowHours, "hours of groups with only 1 or 2 busy drives"},
		{"mixed_hours", a.MixedHours, "hours of groups with several kinds of drives"},
		{"groups_out", a.GroupsOut, "groups without a counted hour"},
		{"parity_drives", a.ParityOut, "parity drives"},
		{"moved", a.Moved, "drives that changed groups (these drives have a separate history in each group)"},
	}
}

// wrong returns the counts of rows with errors.
func wrong(i *Input) []line {
	return []line{
		{"wrong_rows", i.WrongRows, "cannot be read, because the time, the drive or another field is missing"},
		{"wrong_values", i.WrongValues, "have a value that cannot be used; this value counts as missing"},
	}
}

// folded returns the counts of records that were added to other records or left out, if records
// are finer than hours.
func folded(i *Input) []line {
	return []line{
		{"folded", i.Folded, "added to another record of the same drive and hour"},
		{"repeated", i.Repeated, "left out because another record has the same drive and time"},
		{"edge", i.Edge, "left out because the hour is incomplete, at the start or end of the data"},
	}
}

// counts returns the lines whose count is not 0.
func counts(lines []line) []line {
	return slices.DeleteFunc(lines, func(l line) bool { return l.n == 0 })
}

// row returns the noun for the rows of an account: "drive hour" if records are finer than hours,
// else "row".
func (i *Input) row() string {
	if i.Records > 0 {
		return "drive hour"
	}
	return "row"
}

// heading returns the heading of an account: how many of the rows were counted.
func heading(a *study.DirectionAccount, i *Input) string {
	text := fmt.Sprintf("%s of %s were counted", english.Thousands(a.Counted), count(a.Rows, i.row()))
	if a.Direction != "all" {
		return a.Direction + ": " + text
	}
	return capital(text)
}

// foldedHeading returns the heading for records that are finer than hours: how many drive hours
// they became.
func foldedHeading(i *Input) string {
	hours := i.Records - i.Folded - i.Repeated - i.Edge
	return fmt.Sprintf("%s were made from %s", count(hours, "drive hour"), count(i.Records, "record"))
}

// exactness returns a text about the precision of the numbers.
func exactness(f *study.Findings) string {
	return fmt.Sprintf("Values have seven digits (32-bit floats). Medians, ratios, counts and shares of these values are exact. "+
		"Percentiles of slowdowns are up to 0.54 %% too small, because slowdowns are counted in bins of this width. "+
		"Confidence intervals come from resampling whole groups, because the drives of a group are not independent. A confidence interval contains the true value in about %.0f of 100 fleets. "+
		"If only a few groups have slow hours, it contains the true value less often.", 100*f.Level)
}

// aboutT16 explains the name T16. It stands before the first figure.
const aboutT16 = "T16 is a study of 450,000 disks and 4,000 SSDs: Hao et al., The Tail at Store, FAST 2016. Its numbers stand beside the numbers of this fleet."
