package survey

import (
	"fmt"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/tally"
)

// accounts are those of the directions that have rows.
func accounts(r *study.Reduction, f *study.Fleet) []finding.Account {
	var out []finding.Account
	for d, a := range r.Accounts {
		if a.Rows == 0 {
			continue
		}
		one := finding.Account{Direction: study.Direction(d).String(), Account: a}
		countDrives(&one, r, f, study.Direction(d))
		out = append(out, one)
	}
	return out
}

// countDrives counts the groups and drives of a direction.
func countDrives(a *finding.Account, r *study.Reduction, f *study.Fleet, d study.Direction) {
	groups, drives, moved := map[int32]bool{}, map[int32]int32{}, map[int32]bool{}
	for _, s := range r.Seats {
		c := &r.Cells[s.Cell]
		if c.Direction != d {
			continue
		}
		groups[c.Group] = true
		if had, ok := drives[s.Drive]; ok && had != c.Group {
			moved[s.Drive] = true
		}
		drives[s.Drive] = c.Group
	}
	a.Groups, a.Drives, a.Moved = int64(len(groups)), int64(len(drives)), int64(len(moved))
	a.GroupsOut = int64(len(f.Groups)) - a.Groups
	for i := range f.Drives {
		a.ParityOut += tally.One(f.Drives[i].Role == study.Parity)
	}
}

// warnings say what a reader should know before believing the findings.
func warnings(r *study.Reduction, f *study.Fleet) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for d, a := range r.Accounts {
		name := study.Direction(d)
		if a.MixedHours > 0 {
			add("%d hours of groups (%s) have disks and SSDs beside each other and were left out: give each kind a group of its own", a.MixedHours, name)
		}
		if a.Rows > 0 && 2*a.Narrow > a.Counted {
			add("%d of %d rows (%s) are in hours of groups with fewer than 3 drives at work: see that the groups are right", a.Narrow, a.Rows, name)
		}
		if a.Duplicate > 0 {
			add("%d rows (%s) are of a drive and hour that has another; that with the most I/Os counts", a.Duplicate, name)
		}
	}
	if n := mixedModels(r, f); n > 0 {
		add("%d groups have drives of several models: a model that is slower by design looks like a slowdown", n)
	}
	for _, s := range r.Spreads {
		if n := groupsOf(r, s); n < roughGroups {
			add("%d groups of %ss (%s): intervals of so few are rough, and rather too narrow", n, s.Kind, s.Direction)
		}
	}
	return out
}

// roughGroups is how few groups make a bootstrap doubtful.
const roughGroups = 30

func groupsOf(r *study.Reduction, s *study.Spread) int {
	n := 0
	for i := range r.Cells {
		if r.Cells[i].Direction == s.Direction && r.Cells[i].Kind == s.Kind {
			n++
		}
	}
	return n
}

// mixedModels counts groups whose drives are of several known models.
func mixedModels(r *study.Reduction, f *study.Fleet) int {
	first, mixed := map[int32]string{}, map[int32]bool{}
	for _, s := range r.Seats {
		group, model := r.Cells[s.Cell].Group, f.Drives[s.Drive].Model
		if had := first[group]; had != "" && model != "" && had != model {
			mixed[group] = true
		}
		if model != "" {
			first[group] = model
		}
	}
	return len(mixed)
}
