package survey

import (
	"maps"
	"slices"

	"github.com/limpet-storage/limpet/study"
)

// percentileMarks are the lengths of runs in the report, in hours.
var percentileMarks = []int{1, 2, 4, 8, 24, 72}

// report holds the indexes of the counts of one threshold, over all groups:
//
//   - hours: drive hours, as in group.hours;
//   - drives: all drives;
//   - limp: drives with an hour that was slow in the tail alone;
//   - tailOnly: drives of limp that were never slow by the mean;
//   - lasting: runs of at least percentileMarks[i] hours.
type report struct {
	*sheet
	hours                  int
	drives, limp, tailOnly int
	lasting                int
}

// Report adds figures and tables to a part.
func (h *Hours) Report(to *study.Part, f *study.Fleet, kind study.Kind, o study.Options, sums *study.Sums) {
	if len(h.groups) == 0 {
		return
	}
	sheet := newSheet(f, &study.Spread{Direction: study.All, Kind: kind}, o, sums)
	var reports []*report
	for range h.thresholds {
		reports = append(reports, &report{
			sheet: sheet, hours: sums.Block(counts), drives: sums.Block(1), limp: sums.Block(1), tailOnly: sums.Block(1), lasting: sums.Block(len(percentileMarks)),
		})
	}
	for _, of := range slices.Sorted(maps.Keys(h.groups)) {
		for t, r := range reports {
			r.add(h.groups[of], t)
		}
		sums.EndGroup(f.Groups[of])
	}
	for t, r := range reports {
		r.say(h.thresholds[t])
	}
	to.Figures = append(to.Figures, sheet.Part.Figures...)
	to.Tables = append(to.Tables, sheet.Part.Tables...)
}

// add adds the counts of a group.
func (r *report) add(g *group, t int) {
	for i, n := range g.hours[t] {
		r.Sums.Add(r.hours+i, n)
	}
	for _, courses := range g.drives {
		c := &courses[t]
		r.Sums.Add(r.drives, 1)
		r.Sums.Add(r.limp, oneIf(c.alone > 0))
		r.Sums.Add(r.tailOnly, oneIf(c.alone > 0 && c.byMean == 0))
		runs := c.runs
		if c.run > 0 {
			runs = append(slices.Clone(runs), c.run)
		}
		for _, hours := range runs {
			for i, mark := range percentileMarks {
				r.Sums.Add(r.lasting+i, oneIf(hours >= mark))
			}
		}
	}
}

// say adds the figures and tables of a threshold.
func (r *report) say(threshold float64) {
	at, slow := short(threshold), times(threshold)
	r.Share("percentile-alone-"+at, r.hours+tailAlone, r.hours+driveHours, "of the hours of %s are slow ("+slow+" or more) only in their slowest requests: by the 99th or 99.9th percentile, not by the mean")
	r.Share("percentile-missed-"+at, r.hours+tailAlone, r.hours+anySlow, "of all slow hours of %s ("+slow+" or more, by the mean or in the slowest requests) are not slow by the mean")
	r.Share("percentile-limp-"+at, r.limp, r.drives, "of the %s have hours that are slow ("+slow+" or more) only in their slowest requests")
	r.Share("percentile-unseen-"+at, r.tailOnly, r.drives, "of the %s have hours that are slow ("+slow+" or more) in their slowest requests, and no hour that is slow by the mean")
	r.Share("percentile-persist-"+at, r.lasting+1, r.lasting, "of the slow periods of %s in which only the slowest requests are slow ("+slow+" or more) last longer than an hour")
	t := study.Table{
		Name: "percentile-hours-" + at, Title: "Drive hours that are slow (" + slow + " or more), by the kind of latency that is compared",
		Columns: []string{"compared", "slow", "hours counted"},
		Note:    "Latencies are times in the device. A percentile is used only if at least 10 requests of the hour are above it.",
	}
	for m := range measures {
		t.Add(names[m], r.Ratio(r.hours+slowBy+m, r.hours+percentileKnown+m), r.Total(r.hours+percentileKnown+m))
	}
	r.Table(t)
	runs := study.Table{Name: "percentile-runs-" + at, Title: "Slow periods in which only the slowest requests are slow, at " + slow, Columns: []string{"hours", "slow periods of at least this length"}}
	for i, mark := range percentileMarks {
		if v := r.Ratio(r.lasting+i, r.lasting); !v.None {
			runs.Add(short(float64(mark)), v)
		}
	}
	r.Table(runs)
}
