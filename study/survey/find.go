package survey

import (
	"errors"

	"github.com/limpet-storage/limpet/internal/bounds"
	"github.com/limpet-storage/limpet/study"
)

// Options of a survey.
type Options struct {
	Replicates int    `name:"replicates" least:"40" most:"100000"` // of the bootstrap
	Seed       uint64 // of the bootstrap's random numbers
}

// DefaultOptions returns enough replicates for an error of the ends of an interval of about a
// tenth of its width.
func DefaultOptions() Options { return Options{Replicates: 500, Seed: 1} }

// Validate reports all invalid options.
func (o Options) Validate() error { return bounds.Check(o) }

// Find returns the findings of a reduction of a fleet and its events. There may be no events;
// they may be in any order.
func Find(r *study.Reduction, f *study.Fleet, events []study.Event, o Options) (*study.Findings, error) {
	if err := errors.Join(o.Validate(), r.Options.Validate()); err != nil {
		return nil, err
	}
	out := &study.Findings{Thresholds: r.Options.Thresholds, Level: study.Level, Accounts: accounts(r, f)}
	out.From, out.To = span(r)
	events, lost := ofFleet(events, f)
	out.Warnings = append(warnings(r, f), lost...)
	for _, s := range r.Spreads {
		sheet := newSheet(f, s, r.Options, study.NewSums(o.Seed, o.Replicates))
		sheet.Run(study.Groups(r, s.Direction, s.Kind, events), analyses(sheet))
		if t := worst(r, f, s.Direction, s.Kind); len(t.Rows) > 0 {
			sheet.Part.Tables = append(sheet.Part.Tables, t)
		}
		out.Parts = append(out.Parts, sheet.Part)
	}
	return out, nil
}

// span returns the first hour with records that count, and one past the last.
func span(r *study.Reduction) (from, to int32) {
	for i := range r.Cells {
		s := r.Cells[i].Spans[0]
		if i == 0 {
			from, to = s.First.Hour, s.Last.Hour+1
		}
		from, to = min(from, s.First.Hour), max(to, s.Last.Hour+1)
	}
	return from, to
}

// analyses returns all analyses: first those of T16 in its order, then ours.
func analyses(s *sheet) []analysis {
	all := []analysis{newSpreads(s), newExact(s)}
	for _, t := range s.Thresholds {
		all = append(all, newRuns(s, t), newExtent(s, t), newImbalance(s, t))
	}
	all = append(all, newEver(s), newComplaints(s))
	for _, c := range traits() {
		all = append(all, newComparison(s, c))
	}
	all = append(all, newAging(s), newDaily(s), newDegradation(s), newPlugs(s))
	return append(all, foresightAnalyses(s)...)
}
