package history

import (
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/live/history/segment"
)

// For each metric and component, a row of the tier windows has windowParts values: the score, the
// threshold and the verdict.
const (
	scoreOf = iota
	thresholdOf
	verdictOf
	windowParts
)

var windowNames = [windowParts]string{"_score", "_threshold", "_verdict"}

func windowColumns(metrics []string) []string {
	var out []string
	for _, m := range metrics {
		for _, part := range windowNames {
			out = append(out, m+part)
		}
	}
	return out
}

// putWindow writes the scores, thresholds and verdicts of a window into a row of the tier windows.
// For component c, places[c] is its position in the layout.
func putWindow(row []segment.Code, w *persistence.Window, places []int32) {
	n := len(places)
	row = row[w.Metric*windowParts*n:]
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		at := int(places[v.Component])
		row[scoreOf*n+at] = segment.Round(v.Score)
		row[thresholdOf*n+at] = segment.Round(v.Threshold)
		row[verdictOf*n+at] = verdictCode(v)
	}
}

// verdictCode packs a verdict into a whole number. The number is so small that rounding does not
// change it. The two lowest bits hold the field State, the next bit holds the field Suspect, and
// the higher bits hold the field Reason.
func verdictCode(v *persistence.Verdict) segment.Code {
	n := int(v.State) | int(v.Reason)<<3
	if v.Suspect {
		n |= 4
	}
	return segment.Round(float64(n))
}

// scoreFrom returns the score from the codes that putWindow wrote. The second result is false if
// the window has no verdict for the component.
func scoreFrom(end int64, metric string, score, threshold, verdict segment.Code) (Score, bool) {
	if verdict == segment.Missing {
		return Score{}, false
	}
	n := int(verdict.Float())
	return Score{
		End: end, Metric: metric, Score: score.Float(), Threshold: threshold.Float(),
		State: persistence.State(n & 3), Suspect: n&4 != 0, Reason: persistence.Reason(n >> 3),
	}, true
}
