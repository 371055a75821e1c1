package outlook

import (
	"cmp"
	"strings"

	"github.com/limpet-storage/limpet/report/advice"
	"github.com/limpet-storage/limpet/study/finding"
)

// Of returns what slow drives of a fleet did, by the kind of drives. Parts are those of
// a study, at least one, and source is where they come from.
func Of(parts []*finding.Part, source string) func(ssd bool) *advice.Outlook {
	return func(ssd bool) *advice.Outlook { return outlookOf(partOf(parts, ssd), source) }
}

// partOf is the part of a study on a kind of drives, or the first where it has none.
func partOf(parts []*finding.Part, ssd bool) *finding.Part {
	for _, p := range parts {
		if strings.Contains(strings.ToLower(p.Kind), "ssd") == ssd {
			return p
		}
	}
	return parts[0]
}

// outlookOf puts the figures of a part together.
func outlookOf(p *finding.Part, source string) *advice.Outlook {
	o := &advice.Outlook{
		Source: source, Drives: cmp.Or(map[string]string{"disk": "disks", "ssd": "SSDs"}[p.Kind], "drives"),
		OverHour: rest(figure(p, "persist-2")), OverEight: rest(figure(p, "persist-8h-2")), OverDay: -1,
		AgainDay: figure(p, "again-2"), BackSlow: figure(p, "recur"), SavedHours: figure(p, "replace-at-10-2"),
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

// figure is a number of a study; below 0 where it has none.
func figure(p *finding.Part, name string) float64 {
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
