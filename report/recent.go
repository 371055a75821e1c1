package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/report/picture"
)

// recentWindows is the number of windows that pictures in text show: the last three hours of
// data if windows are 7.5 min apart (the default). They take 96 bytes for each component.
const recentWindows = 24

// recentRatios keeps, for the last windows, the value of each component divided by the median of
// its peer group. The pictures in text show these ratios.
type recentRatios struct {
	metric int         // index of the leading metric in the schema; -1: there is none
	ends   []int64     // ends of the windows, Unix times in order
	rows   [][]float32 // by window, then by component; NaN: not compared
}

func newRecentRatios(schema table.Schema, lead string) *recentRatios {
	return &recentRatios{metric: metric.Index(schema.Metrics, lead)}
}

// add adds the ratios of a window. The windows of several groups have the same end.
func (r *recentRatios) add(w *persistence.Window, components int) {
	if w.Metric != r.metric {
		return
	}
	if n := len(r.ends); n == 0 || r.ends[n-1] != w.End {
		r.ends, r.rows = append(r.ends, w.End), append(r.rows, missingRow(components))
		if len(r.ends) > recentWindows {
			r.ends, r.rows = slices.Delete(r.ends, 0, 1), slices.Delete(r.rows, 0, 1)
		}
	}
	row := r.rows[len(r.rows)-1]
	var medians []float64
	for i := range w.Verdicts {
		medians = append(medians, w.Verdicts[i].Median)
	}
	group, ok := picture.QuantilesOf(medians)
	for i := range w.Verdicts {
		if v := &w.Verdicts[i]; ok && v.Median > 0 {
			row[v.Component] = float32(v.Median / group.Median)
		}
	}
}

func missingRow(n int) []float32 { return slices.Repeat([]float32{float32(math.NaN())}, n) }

// State writes or reads the ratios.
func (r *recentRatios) State(c *state.Codec, axes *blame.Axes, components int) {
	state.Ints(c, &r.ends)
	if !c.Saving() {
		r.rows = nil
		for range r.ends {
			r.rows = append(r.rows, missingRow(components))
		}
	}
	for _, row := range r.rows {
		c.Floats32(axes.Components, row)
	}
}

// pictures draws an incident that goes on and is slower than its peers: its members over the band
// of their peers, and the last hours of the worst member.
func (t *text) pictures(in *incident.Incident) (lines []string) {
	var times []float64
	worst, isMember := -1, map[int]bool{}
	for i := range in.Members {
		m := &in.Members[i]
		isMember[m.Component] = true
		if m.Role != finding.IsSlow || m.Effect.Times <= 1 || in.Phase == incident.Cleared {
			continue
		}
		if worst < 0 {
			worst = m.Component
		}
		times = append(times, m.Effect.Times)
	}
	if worst < 0 || len(t.recent.rows) == 0 || in.Class == finding.Past { // the ratios compare with peers, not with the past
		return nil
	}
	style, name := t.s.Pictures, t.s.System.Components[worst].Name
	if len(times) > 1 {
		name = fmt.Sprintf("%d slow", len(times))
	}
	if peers, n := t.peersOf(worst, isMember); n > 0 {
		if bar := picture.Peers(style, peers, times); bar != "" {
			lines = append(lines, captioned(bar, fmt.Sprintf("%s %s, %s middle 90 %% of the peers", string(style.Value()), name, string(style.Band())))...)
		}
	}
	var course []float64
	for _, row := range t.recent.rows {
		course = append(course, float64(row[worst]))
	}
	if line := picture.Spark(style, course); line != "" {
		lines = append(lines, captioned(fmt.Sprintf("%-*s", picture.Width, line), t.s.System.Components[worst].Name+" compared with its peers, last "+t.recentTime())...)
	}
	return lines
}

// recentTime returns the time that the windows of a picture cover: "3 h", or "3 h of data" if the data
// have gaps between these windows.
func (t *text) recentTime() string {
	ends := t.recent.ends
	covered := int64(len(ends)) * t.windowSeconds()
	if covered < ends[len(ends)-1]-ends[0]+t.windowSeconds() {
		return english.Seconds(covered) + " of data"
	}
	return english.Seconds(covered)
}

// pictureColumns is the largest number of columns of a line with a picture: a terminal of 80 columns
// without the indent.
const pictureColumns = 76

// captioned returns a picture with its caption on the right. A caption that is too long, because a
// component has a long name, stands on the line below the picture, so that the name is whole.
func captioned(picture, caption string) []string {
	if line := picture + "  " + caption; utf8.RuneCountInString(line) <= pictureColumns {
		return []string{line}
	}
	return []string{strings.TrimRight(picture, " "), caption}
}

// windowSeconds returns the time from one window to the next.
func (t *text) windowSeconds() int64 {
	return int64(t.s.Options.Detect.WinShift) * t.s.Options.Detect.StepSeconds
}

// peersOf returns the quantiles of a component's peers in the last window, as multiples of their
// median, and the number of peers. Members of the incident do not count as peers.
func (t *text) peersOf(component int, isMember map[int]bool) (picture.Quantiles, int) {
	g := t.s.System.Components[component].Group
	if g < 1 || g > len(t.s.System.Groups) { // groups are numbered from 1
		return picture.Quantiles{}, 0
	}
	var values []float64
	for _, c := range t.s.System.Groups[g-1].Members {
		if v := float64(t.recent.rows[len(t.recent.rows)-1][c]); !isMember[c] && v > 0 {
			values = append(values, v)
		}
	}
	q, ok := picture.QuantilesOf(values)
	if !ok {
		return q, 0
	}
	return picture.Quantiles{Low: q.Low / q.Median, Median: 1, High: q.High / q.Median}, len(values)
}
