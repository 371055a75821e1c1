package ranking

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"github.com/limpet-storage/limpet/engine/look"
)

// document is the JSON of a result. Latencies are in ms, "times" are ratios.
type document struct {
	Looks    int             `json:"looks"`
	Repeated int             `json:"repeated,omitempty"`
	OfStart  int             `json:"since_start_left_out,omitempty"`
	Tools    []string        `json:"tools"`
	First    string          `json:"first,omitempty"`
	Last     string          `json:"last,omitempty"`
	Groups   []groupDocument `json:"groups"`
	Moves    []moveDocument  `json:"moves,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

type groupDocument struct {
	Kind       string              `json:"kind"`
	Tool       string              `json:"tool,omitempty"`
	Looks      int                 `json:"looks"`
	Span       string              `json:"span"`
	Bands      []bandDocument      `json:"bands,omitempty"`
	Hosts      []hostDocument      `json:"hosts,omitempty"`
	Split      *splitDocument      `json:"split,omitempty"`
	Components []componentDocument `json:"components"`
	Limits     []look.Limit        `json:"limits,omitempty"`
}

type bandDocument struct {
	Metric look.Metric `json:"metric"`
	Median float64     `json:"median"`
	Low    float64     `json:"p5"`
	High   float64     `json:"p95"`
	Least  float64     `json:"least"`
	Most   float64     `json:"most"`
}

type hostDocument struct {
	Name   string         `json:"name"`
	Mark   look.Mark      `json:"mark"`
	Sure   look.Certainty `json:"sure"`
	Slow   int            `json:"slow"`
	Of     int            `json:"of"`
	Metric look.Metric    `json:"metric"`
	Times  float64        `json:"times_slower"`
	Low    float64        `json:"times_slower_low"`
	High   float64        `json:"times_slower_high"`
}

type splitDocument struct {
	Metric look.Metric `json:"metric"`
	Slow   []string    `json:"slow"`
	Fast   []string    `json:"fast"`
	Hosts  []string    `json:"hosts,omitempty"`
	Times  float64     `json:"times_slower"`
}

type componentDocument struct {
	Name     string             `json:"name"`
	Host     string             `json:"host,omitempty"`
	Mark     look.Mark          `json:"mark"`
	Sure     look.Certainty     `json:"sure,omitempty"`
	Seen     int                `json:"looks_apart"`
	Of       int                `json:"looks_compared"`
	Newest   bool               `json:"newest_apart"`
	Since    string             `json:"since,omitempty"`
	Measures []measuredDocument `json:"measures,omitempty"`
	Reasons  []reasonDocument   `json:"reasons,omitempty"`
	Readings []readingDocument  `json:"readings,omitempty"` // values of a component without peers, or of another kind than its peers
}

type readingDocument struct {
	Metric look.Metric `json:"metric"`
	Value  float64     `json:"value"`
}

type measuredDocument struct {
	Metric  look.Metric `json:"metric"`
	Value   float64     `json:"value"`
	Peers   float64     `json:"peers_median"`
	Times   float64     `json:"times_slower"`
	Low     float64     `json:"times_slower_low"`
	High    float64     `json:"times_slower_high"`
	AtLeast bool        `json:"at_least,omitempty"`
	Odd     float64     `json:"standard_deviations"`
}

type reasonDocument struct {
	Cause    look.Cause  `json:"cause"`
	Metric   look.Metric `json:"metric"`
	Value    float64     `json:"value"`
	Peers    float64     `json:"peers_median"`
	Explains bool        `json:"explains"`
}

type moveDocument struct {
	Object string `json:"object"`
	What   string `json:"what"`
	From   string `json:"from,omitempty"`
	To     string `json:"to,omitempty"`
	Since  string `json:"since,omitempty"`
	Until  string `json:"until,omitempty"`
}

var spanNames = map[look.Span]string{look.Interval: "interval", look.SinceStart: "since start", look.Average: "average"}

// JSON prints a result for programs.
func JSON(w io.Writer, r *Result) error {
	k := r.Ranking
	d := document{
		Looks: k.Looks, Repeated: k.Repeated, OfStart: k.SinceStart, Tools: append([]string{}, k.Tools...), First: stamp(k.First, k.Zoned), Last: stamp(k.Last, k.Zoned),
		Groups: []groupDocument{}, Warnings: r.Warnings,
	}
	for i := range k.Groups {
		d.Groups = append(d.Groups, groupOf(&k.Groups[i], k.Zoned))
	}
	for _, m := range r.Moves {
		d.Moves = append(d.Moves, moveDocument{m.Object, string(m.What), m.From, m.To, stamp(m.Since, m.Zoned), stamp(m.Until, m.Zoned)})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(d)
}

// stamp formats a time. A time without a zone has none in JSON either.
func stamp(at time.Time, zoned bool) string {
	switch {
	case at.IsZero():
		return ""
	case zoned:
		return at.UTC().Format(time.RFC3339)
	case at.Year() <= 1:
		return at.Format("15:04:05")
	}
	return at.Format("2006-01-02T15:04:05")
}

func groupOf(g *look.Group, zoned bool) groupDocument {
	d := groupDocument{Kind: g.Kind, Tool: g.Tool, Looks: g.Looks, Span: spanNames[g.Span], Limits: g.Limits, Components: []componentDocument{}}
	for _, b := range g.Bands {
		d.Bands = append(d.Bands, bandDocument{b.Metric, short(b.Median), short(b.Low), short(b.High), short(b.Min), short(b.Max)})
	}
	for _, h := range g.Hosts {
		d.Hosts = append(d.Hosts, hostDocument{h.Name, h.Mark, h.Certainty, h.SlowComponents, h.ComparedComponents, h.Metric, short(h.Times), short(h.Low), short(h.High)})
	}
	if s := g.Split; s != nil {
		d.Split = &splitDocument{s.Metric, s.Slow, s.Fast, s.Hosts, short(s.Times)}
	}
	for i := range g.Components {
		c := &g.Components[i]
		one := componentDocument{Name: c.Name, Host: c.Host, Mark: c.Mark, Sure: c.Certainty, Seen: c.ApartLooks, Of: c.ComparedLooks, Newest: c.Newest, Since: stamp(c.Since, zoned)}
		for _, m := range c.Measures {
			one.Measures = append(one.Measures, measuredDocument{
				m.Metric, short(m.Value), short(m.Peers), short(m.Times), short(m.Low), short(m.High), m.AtLeast, short(m.Deviations),
			})
		}
		for _, r := range c.Reasons {
			one.Reasons = append(one.Reasons, reasonDocument{r.Cause, r.Metric, short(r.Value), short(r.Peers), r.Explains})
		}
		for _, r := range c.Readings {
			one.Readings = append(one.Readings, readingDocument{r.Metric, short(r.Value)})
		}
		d.Components = append(d.Components, one)
	}
	return d
}

// short rounds a number to six digits, so that JSON has no meaningless digits. Infinity becomes the
// largest number, and NaN becomes 0, because JSON has neither.
func short(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return 0
	case math.IsInf(x, 0):
		return math.Copysign(math.MaxFloat64, x)
	case x == 0:
		return 0
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(x))))
	if math.IsInf(scale, 0) || scale == 0 {
		return x
	}
	return math.Round(x*scale) / scale
}
