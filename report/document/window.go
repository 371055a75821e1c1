package document

import (
	"math"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/persistence"
	"github.com/limpet-storage/limpet/report/sentence"
)

// Window is the judgement of one peer group and metric over one window.
type Window struct {
	Group      int       `json:"group"`
	Metric     string    `json:"metric"`
	Start      Time      `json:"start"`
	End        Time      `json:"end"`
	Bins       int       `json:"bins"`
	Width      Number    `json:"width"`
	Min        Number    `json:"min"`
	Components []Verdict `json:"components"`
}

// Verdict is the judgement of one component in a window. The score and the threshold are null if the
// component was not compared with its peers.
type Verdict struct {
	Name      string `json:"name"`
	Score     Number `json:"score"`
	Threshold Number `json:"threshold"`
	State     string `json:"state"`
	Reason    string `json:"reason,omitempty"`
	Own       Number `json:"own,omitzero"`
	Peers     Number `json:"peers,omitzero"`
	Suspect   bool   `json:"suspect"`
}

// OfWindow converts a window.
func OfWindow(v *sentence.Writer, w *persistence.Window) Window {
	return Window{
		v.System.Groups[w.Group].ID, v.Schema.Metrics[w.Metric].Name, Time(w.Start), Time(w.End),
		w.Bins.Count, Number(w.Bins.Width), Number(w.Bins.Min),
		Each(w.Verdicts, func(x persistence.Verdict) Verdict {
			score, threshold := Compared(&x)
			return Verdict{
				v.System.Components[x.Component].Name, score, threshold,
				x.State.String(), sentence.Reason(x.Reason), Number(x.Median), Number(x.Peers), x.Suspect,
			}
		}),
	}
}

// Compared returns the score and the threshold of a verdict. Both are missing if the component was not
// compared with its peers.
func Compared(x *persistence.Verdict) (score, threshold Number) {
	if !x.IsCompared() {
		return Number(math.NaN()), Number(math.NaN())
	}
	return Number(x.Score), Number(x.Threshold)
}

// Entry is a line of a list.
type Entry struct {
	Rank      int    `json:"rank"`
	Value     int    `json:"value"`
	Group     int    `json:"group"`
	Component string `json:"component"`
	Metric    string `json:"metric"`
	Since     Time   `json:"since"`
	Score     Number `json:"score"`
	Threshold Number `json:"threshold"`
	Own       Number `json:"own,omitzero"`
	Peers     Number `json:"peers,omitzero"`
	Text      string `json:"text"`
	Fading    bool   `json:"fading"`
}

// OfEntries converts the entries of a list.
func OfEntries(v *sentence.Writer, entries []persistence.Entry, trained bool) []Entry {
	n := 0
	return Each(entries, func(e persistence.Entry) Entry {
		n++
		c := &v.System.Components[e.Component]
		return Entry{
			n, e.Value, c.Group, c.Name, v.Schema.Metrics[e.Metric].Name, Time(e.Since), Number(e.Last.Score), Number(e.Last.Threshold),
			Number(e.Last.Median), Number(e.Last.Peers), v.Entry(e, trained), e.Fades,
		}
	})
}

// Remark is a sentence about a server that is silent, idle or has a wrong clock, or about missing
// data.
type Remark struct {
	Server   string `json:"server,omitempty"`
	Question string `json:"question,omitempty"`
	Resource string `json:"resource,omitempty"`
	Whole    bool   `json:"whole,omitempty"`
	Since    Time   `json:"since,omitzero"`
	From     Time   `json:"from,omitzero"`
	To       Time   `json:"to,omitzero"`
	Times    int    `json:"times,omitempty"`
	Seconds  int64  `json:"seconds,omitempty"`
	Text     string `json:"text"`
}

// inUTC writes sentences with times in UTC, like the rest of a document.
var inUTC = &sentence.Writer{}

// OfSilence converts a silent server.
func OfSilence(v *sentence.Writer, q engine.Silence) Remark {
	return Remark{Server: q.Server, Since: Time(q.Since), Text: sentence.Silences(v, []engine.Silence{q})[0]}
}

// OfIdleness converts an idle server.
func OfIdleness(i engine.Idleness) Remark {
	return Remark{Server: i.Server, From: Time(i.From), To: Time(i.To), Times: i.Times, Seconds: i.Seconds, Text: sentence.Idle(inUTC, []engine.Idleness{i})[0]}
}

// OfLack converts a remark about missing data.
func OfLack(v *sentence.Writer, l engine.Lack) Remark {
	return Remark{Question: string(l.Question), Resource: string(l.Resource), Whole: l.Whole, Text: sentence.Lacks(v, []engine.Lack{l})[0]}
}

// OfPresence converts a server whose data have no time in common with the data of other servers.
func OfPresence(p engine.Presence) Remark {
	return Remark{Server: p.Server, From: Time(p.From), To: Time(p.To), Text: sentence.Apart(inUTC, []engine.Presence{p})[0]}
}

// OfSkew converts a wrong clock.
func OfSkew(s engine.Skew) Remark {
	return Remark{Server: s.Server, Seconds: s.Seconds, Text: sentence.Skews([]engine.Skew{s})[0]}
}
