package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/advice"
	"github.com/limpet-storage/limpet/bounded"
	"github.com/limpet-storage/limpet/study/finding"
	"github.com/limpet-storage/limpet/study/report"
)

// readOutlook reads what slow drives of this fleet did from the result of a study;
// nil without a file.
func readOutlook(file string) (func(ssd bool) *advice.Outlook, error) {
	if file == "" {
		return nil, nil
	}
	data, err := bounded.ReadFile(file, bounded.MaxResult, "a result of a study")
	if err != nil {
		return nil, fmt.Errorf("--study: %w", err)
	}
	result, err := report.Parse(file, data)
	if err != nil {
		return nil, fmt.Errorf("--study: %w", err)
	}
	if len(result.Parts) == 0 {
		return nil, fmt.Errorf("--study: %s has no findings: the study counted no hour", file)
	}
	return func(ssd bool) *advice.Outlook { return outlookOf(partOf(result.Parts, ssd), file) }, nil
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

func outlookOf(p *finding.Part, file string) *advice.Outlook {
	o := &advice.Outlook{
		Source: "the study of this fleet, " + file, Drives: cmp.Or(map[string]string{"disk": "disks", "ssd": "SSDs"}[p.Kind], "drives"),
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
