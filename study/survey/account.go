package survey

import (
	"github.com/limpet-storage/limpet/study"
)

// accounts returns an account for each direction with rows.
func accounts(r *study.Reduction, f *study.Fleet) []study.DirectionAccount {
	var out []study.DirectionAccount
	for d, a := range r.Accounts {
		if a.Rows == 0 {
			continue
		}
		one := study.DirectionAccount{Direction: study.Direction(d).String(), Account: a}
		countDrives(&one, r, f, study.Direction(d))
		out = append(out, one)
	}
	return out
}

// countDrives counts the groups and drives of a direction.
func countDrives(a *study.DirectionAccount, r *study.Reduction, f *study.Fleet, d study.Direction) {
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
		a.ParityOut += oneIf(f.Drives[i].Role == study.Parity)
	}
}
