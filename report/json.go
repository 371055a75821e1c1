package report

import (
	"encoding/json"
	"io"

	"github.com/limpet-storage/limpet/detect"
	"github.com/limpet-storage/limpet/diagnose"
	"github.com/limpet-storage/limpet/table"
)

// jsonReport writes one document, an hour at a time, so that its length does
// not matter: the head, then "hours" with the windows that ended in each and
// its list, then silent servers and warnings. docs/formats.md describes it.
type jsonReport struct {
	sink
	s     Subject
	hours int
	open  bool // an hour is open
	wins  int  // in the open hour
}

type jsonWindow struct {
	Group      int             `json:"group"`
	Metric     string          `json:"metric"`
	Start      string          `json:"start"`
	End        string          `json:"end"`
	Bins       int             `json:"bins"`
	Width      float64         `json:"width"`
	Min        float64         `json:"min"`
	Components []jsonComponent `json:"components"`
}

type jsonComponent struct {
	Name      string   `json:"name"`
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"`
	State     string   `json:"state"`
	Reason    string   `json:"reason,omitempty"`
	Median    *float64 `json:"median,omitempty"`
	Peers     *float64 `json:"peers,omitempty"`
	Suspect   bool     `json:"suspect"`
}

type jsonEntry struct {
	Rank      int      `json:"rank"`
	Value     int      `json:"value"`
	Group     int      `json:"group"`
	Component string   `json:"component"`
	Metric    string   `json:"metric"`
	Since     string   `json:"since"`
	Score     float64  `json:"score"`
	Threshold float64  `json:"threshold"`
	Median    *float64 `json:"median,omitempty"`
	Peers     *float64 `json:"peers,omitempty"`
	Evidence  string   `json:"evidence"`
	Fading    bool     `json:"fading"`
}

// settings are those that judge.
func settings(o *diagnose.Options) any {
	if o.Indict == diagnose.BySymptoms {
		return o.Symptoms
	}
	return o.Detect
}

func newJSON(w io.Writer, s Subject) *jsonReport {
	j := &jsonReport{sink: sink{w: w}, s: s}
	type group struct {
		ID      int    `json:"id"`
		Name    string `json:"name"`
		Members int    `json:"members"`
	}
	var groups []group
	for _, g := range s.System.Groups {
		groups = append(groups, group{g.ID, g.Name, len(g.Members)})
	}
	j.printf("{\"method\": %s,\n\"metrics\": %s,\n\"options\": %s,\n\"trained\": %t,\n\"groups\": %s,\n\"hours\": [",
		j.encode(s.Options.Detect.Method), j.encode(s.Options.Metrics), j.encode(settings(&s.Options)), s.Trained, j.encode(groups))
	return j
}

func (j *jsonReport) encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil && j.err == nil {
		j.err = err
	}
	return b
}

// element writes an element of an array that may have others before it.
func (j *jsonReport) element(n int, v any) {
	if n > 0 {
		j.printf(",")
	}
	j.printf("\n%s", j.encode(v))
}

func (j *jsonReport) openHour() {
	if j.open {
		return
	}
	if j.hours > 0 {
		j.printf(",")
	}
	j.printf("\n{\"windows\": [")
	j.open, j.wins = true, 0
}

func (j *jsonReport) Window(w *detect.Window) {
	j.openHour()
	out := jsonWindow{
		Group: j.s.System.Groups[w.Group].ID, Metric: j.s.Schema.Metrics[w.Metric].Name,
		Start: rfc3339(w.Start), End: rfc3339(w.End),
		Bins: w.Bins.Count, Width: w.Bins.Width, Min: w.Bins.Min,
		Components: make([]jsonComponent, len(w.Verdicts)),
	}
	for i := range w.Verdicts {
		v := &w.Verdicts[i]
		out.Components[i] = jsonComponent{
			Name: j.s.System.Components[v.Component].Name, Score: v.Score, Threshold: v.Threshold,
			State: v.State.String(), Reason: v.Reason.String(), Median: known(v.Median), Peers: known(v.Peers), Suspect: v.Suspect,
		}
	}
	j.element(j.wins, out)
	j.wins++
}

// known leaves out what was not measured.
func known(v float64) *float64 {
	if table.IsMissing(v) {
		return nil
	}
	return &v
}

func (j *jsonReport) List(l *diagnose.List) {
	j.openHour()
	j.printf("],\n\"hour\": %s,\n\"list\": %s}", j.encode(rfc3339(l.Hour)), j.encode(j.entries(l)))
	j.open = false
	j.hours++
}

func (j *jsonReport) entries(l *diagnose.List) []jsonEntry {
	out := make([]jsonEntry, len(l.Entries))
	for i, e := range l.Entries {
		c := &j.s.System.Components[e.Component]
		out[i] = jsonEntry{
			Rank: i + 1, Value: e.Value, Group: c.Group, Component: c.Name,
			Metric: j.s.Schema.Metrics[e.Metric].Name, Since: rfc3339(e.Since),
			Score: e.Last.Score, Threshold: e.Last.Threshold, Median: known(e.Last.Median),
			Peers: known(e.Last.Peers), Evidence: j.s.Say(e), Fading: e.Fades,
		}
	}
	return out
}

func (j *jsonReport) Finish(s Summary) error {
	type silence struct {
		Server string `json:"server"`
		Since  string `json:"since,omitempty"`
	}
	silent := []silence{}
	for _, q := range s.Silent {
		out := silence{Server: q.Server}
		if q.Since != 0 {
			out.Since = rfc3339(q.Since)
		}
		silent = append(silent, out)
	}
	if s.Warnings == nil {
		s.Warnings = []string{}
	}
	j.printf("\n],")
	if j.s.Options.Indict != diagnose.Nobody {
		j.printf("\n\"indictments\": %s,", j.encode(jsonIndictments(s.Indictments, j.s.Options.Indict)))
		j.printf("\n\"indicted_by\": %s,", j.encode(string(j.s.Options.Indict)))
		j.printf("\n\"judged_windows\": %d,\n\"idle\": %s,", s.Examined, j.encode(jsonIdleness(s.Idle)))
	}
	j.printf("\n\"incidents\": %s,", j.encode(jsonIncidents(j.s.System, s.Incidents)))
	j.printf("\n\"silent\": %s,\n\"warnings\": %s}\n", j.encode(silent), j.encode(s.Warnings))
	return j.err
}
