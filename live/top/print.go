package top

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/printable"
)

// TextOptions are the settings of Text.
type TextOptions struct {
	Width int
	ASCII bool
	// Plain makes Text print a sentence for each component, instead of columns and bars. It is
	// meant for screen readers.
	Plain bool
	All   bool // true: print all components; false: print at most mostUsual of the components that are like their peers
}

// If All is false, Text prints at most mostUsual components that are like their peers.
const mostUsual = 10

// Text prints one frame.
func Text(w io.Writer, f *Frame, o TextOptions) error {
	var b strings.Builder
	b.WriteString(f.Title() + "\n")
	if f.Waiting != "" {
		b.WriteString(f.Waiting + "\n")
	}
	if f.ReadFrom != 0 {
		b.WriteString("limpet has read the data from " + clock(f.ReadFrom, f.Zone) + " on. Problems before this time are not known (--since reads more data)\n")
	}
	for i := range f.Problems {
		b.WriteString(f.problemLine(&f.Problems[i]) + "\n")
	}
	layout := NewLayout(o.Width, f, o.ASCII)
	if len(f.Lines) > 0 && !o.Plain {
		b.WriteString(strings.TrimRight(layout.Heading(), " ") + "\n")
	}
	usual, left := 0, 0
	for i := range f.Lines {
		l := &f.Lines[i]
		if !l.IsMarked() && l.Mark != look.Unsure {
			if usual++; usual > mostUsual && !o.All {
				left++
				continue
			}
		}
		if o.Plain {
			b.WriteString(f.sentence(l) + "\n")
			continue
		}
		text := ""
		for _, p := range layout.Line(l, &f.Groups[l.Group]) {
			text += p.Text
		}
		text, more := strings.TrimRight(text, " "), f.likePeersText(l)
		if more != "" && utf8.RuneCountInString(text+more) > o.Width {
			more = "\n" + strings.Repeat(" ", markWidth) + more
		}
		b.WriteString(text + more + "\n")
	}
	if left > 0 {
		fmt.Fprintf(&b, "%s more components (--all lists all components)\n", english.Thousands(left))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Title returns the first line of a frame.
func (f *Frame) Title() string {
	source := printable.Text(f.Source)
	if f.End == 0 {
		return "limpet top " + source
	}
	at := clock(f.End, f.Zone)
	if f.Dated {
		at = time.Unix(f.End, 0).In(f.Zone).Format(time.DateTime)
	}
	verdicts := english.Count(f.Incidents, "incident") + f.onComponents(Confirmed) + ", " + english.Count(f.Suspects, "suspect") + f.onComponents(Suspected)
	if f.Past && !f.Judged {
		verdicts = "incidents at this time are not known"
	}
	return fmt.Sprintf("limpet top %s  %s, %d of %s %s now  %s", at, verdicts, f.Apart, english.Thousands(f.drives()), english.Verb(f.Apart, "differs", "differ"), source)
}

// drives returns the number of lines of drives and LUNs. Without a topology, network interfaces have
// lines, too.
func (f *Frame) drives() (n int) {
	for i := range f.Lines {
		if !f.Lines[i].other {
			n++
		}
	}
	return n
}

// onComponents returns a text such as " on 61 components". The text has the number of components with
// an incident (if level is Confirmed) or with a suspect (if level is Suspected). It is empty if each
// incident or suspect affects only one component.
func (f *Frame) onComponents(level Level) string {
	components, problems := 0, f.Suspects
	if level == Confirmed {
		problems = f.Incidents
	}
	for i := range f.Lines {
		if f.Lines[i].Level == level {
			components++
		}
	}
	if components <= problems {
		return ""
	}
	return " on " + english.Thousands(components) + " components"
}

// problemLine returns the line of a suspect or an incident: its level, its ID, its onset and its
// headline.
func (f *Frame) problemLine(s *PresentProblem) string {
	text := s.Level.String()
	if s.ID != "" {
		text += " " + s.ID
	}
	if s.Since != 0 {
		text += " since " + sinceText(s.Since, f.End, f.Zone)
	}
	if s.Before {
		text += " or earlier"
	}
	return text + ": " + printable.Text(s.Text)
}

// likePeersText returns an additional text for a line. The text is empty except in one case: the
// component has a suspect or an incident, but at present the component is like its peers.
func (f *Frame) likePeersText(l *Line) string {
	if l.Level < Suspected || math.IsNaN(float64(l.SinceTimes)) || !(float64(l.Times) < f.smallest) {
		return ""
	}
	return fmt.Sprintf("  latency now %s times its peers' latency; %s times since %s", shortNumber(float64(l.Times)), shortNumber(float64(l.SinceTimes)), sinceText(l.Since, f.End, f.Zone))
}

// sentence describes the component of a line in one sentence, for screen readers.
func (f *Frame) sentence(l *Line) string {
	text := printable.Text(l.Name) + ": "
	if v := float64(l.Latency); l.Missing {
		text += "missing"
	} else if math.IsNaN(v) {
		text += "idle"
	} else {
		text += "mean latency " + Milliseconds(v)
	}
	if b := f.Groups[l.Group].Band; b != nil && !math.IsNaN(float64(l.Times)) {
		text += fmt.Sprintf(", %s times the median of its peers (middle 90 %% of the peers: %s to %s)", shortNumber(float64(l.Times)), Milliseconds(b.Low), Milliseconds(b.High))
	}
	if v := float64(l.Load); v > 0 {
		text += fmt.Sprintf(", %.0f requests a second", v)
	}
	if !math.IsNaN(float64(l.P99)) {
		text += fmt.Sprintf("; latency of single requests: p50 %s, p99 %s, slowest %s", Milliseconds(float64(l.P50)), Milliseconds(float64(l.P99)), Milliseconds(float64(l.Slowest)))
	}
	switch {
	case l.Level > NotOdd:
		text += ", " + l.Level.String()
		if l.ID != "" {
			text += " " + l.ID
		}
		if l.Since != 0 {
			text += " since " + clock(l.Since, f.Zone)
			if l.Before {
				text += " or earlier"
			}
		}
		if eased := f.likePeersText(l); eased != "" {
			text += "," + eased[1:]
		}
	case markText[l.Mark] != "" && l.Mark != look.Idle:
		text += ", " + markText[l.Mark]
	}
	return text
}

// JSON prints a frame as a document. Times are in Unix seconds, and an unknown number is null.
func JSON(w io.Writer, f *Frame) error {
	type line struct {
		Line
		Group string `json:"group"`
	}
	document := struct {
		*Frame
		Lines    []line           `json:"components"`
		Messages []Message        `json:"messages"`
		Problems []PresentProblem `json:"problems"`
	}{Frame: f, Lines: []line{}, Messages: slices.Concat([]Message{}, f.Messages), Problems: slices.Concat([]PresentProblem{}, f.Problems)}
	for i := range f.Lines {
		document.Lines = append(document.Lines, line{f.Lines[i], f.Groups[f.Lines[i].Group].Name})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(document)
}

// MarshalJSON writes a number, or null if the number is unknown.
func (n Number) MarshalJSON() ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	const digits = 1e6
	return json.Marshal(math.Round(v*digits) / digits)
}

// UnmarshalJSON reads a number. If the text is null, the number is unknown.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*n = nan
		return nil
	}
	return json.Unmarshal(text, (*float64)(n))
}
