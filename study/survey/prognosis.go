// This file takes from a study what a drive that is slow now will probably do: whether it
// recovers by itself, how soon it is slow again, and what replacing it saves. Advice on a
// drive uses it where the fleet was studied, and T16's figures elsewhere.

package survey

import (
	"cmp"
	"strings"

	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/study"
)

// Of returns what slow drives of a fleet did, by the kind of drives. Parts are those of
// a study, at least one, and source is where they come from.
func Of(parts []*study.Part, source string) func(ssd bool) *advice.Prognosis {
	return func(ssd bool) *advice.Prognosis { return prognosisOf(partOf(parts, ssd), source) }
}

// partOf is the part of a study on a kind of drives, or the first where it has none.
func partOf(parts []*study.Part, ssd bool) *study.Part {
	for _, p := range parts {
		if strings.Contains(strings.ToLower(p.Kind), "ssd") == ssd {
			return p
		}
	}
	return parts[0]
}

// prognosisOf puts the figures of a part together.
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

// prognosisFigure is a number of a study; below 0 where it has none.
func prognosisFigure(p *study.Part, name string) float64 {
	for i := range p.Figures {
		if f := &p.Figures[i]; f.Name == name && !f.None {
			return f.Number
		}
	}
	return -1
}

// rest is what a share leaves; below 0 where it is not known.
func rest(share float64) float64 {
	if share < 0 {
		return -1
	}
	return 1 - share
}
