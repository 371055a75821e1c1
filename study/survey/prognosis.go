// This file takes from a study a prognosis for a slow drive: whether it recovers by itself, how
// soon it is slow again, and how many slow hours a replacement avoids. Advice on a drive uses
// the prognosis if the fleet was studied, and T16's figures otherwise.

package survey

import (
	"cmp"
	"strings"

	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/study"
)

// Of returns the prognosis for slow drives, by the kind of drives. It needs at least one part of
// a study. source is the name of the study in the prognosis.
func Of(parts []*study.Part, source string) func(ssd bool) *advice.Prognosis {
	return func(ssd bool) *advice.Prognosis { return prognosisOf(partOf(parts, ssd), source) }
}

// partOf returns the part of a study about a kind of drives, or the first part if there is none.
func partOf(parts []*study.Part, ssd bool) *study.Part {
	for _, p := range parts {
		if strings.Contains(strings.ToLower(p.Kind), "ssd") == ssd {
			return p
		}
	}
	return parts[0]
}

// prognosisOf returns the prognosis from the figures of a part.
func prognosisOf(p *study.Part, source string) *advice.Prognosis {
	o := &advice.Prognosis{
		Source: source, Drives: cmp.Or(map[string]string{"disk": "disks", "ssd": "SSDs"}[p.Kind], "drives"),
		OverHour: rest(prognosisFigure(p, "persist-2")), OverEight: rest(prognosisFigure(p, "persist-8h-2")), OverDay: -1,
		AgainDay: prognosisFigure(p, "again-2"), BackSlow: prognosisFigure(p, "recur"), SavedHours: prognosisFigure(p, "replace-at-10-2"),
	}
	for i := range p.Tables {
		for _, row := range p.Tables[i].Rows {
			if p.Tables[i].Name == "runs-2" && row.Label == "24" && len(row.Values) > 0 && !row.Values[0].None {
				o.OverDay = rest(row.Values[0].Number)
			}
		}
	}
	return o
}

// prognosisFigure returns a number of a study; -1 if the study does not have it.
func prognosisFigure(p *study.Part, name string) float64 {
	for i := range p.Figures {
		if f := &p.Figures[i]; f.Name == name && !f.None {
			return f.Number
		}
	}
	return -1
}

// rest returns 1 - share; -1 if the share is unknown.
func rest(share float64) float64 {
	if share < 0 {
		return -1
	}
	return 1 - share
}
