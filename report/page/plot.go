package page

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// A plot has the common parts of Chart, Crowd and Heat. It is a figure whose names are HTML, so
// that they can be read, searched and printed. Its numbers are a block of JSON, which plot.js
// draws.
type plot struct {
	Title        string
	XName, YName string
	Lines        []entry // legend of the lines, in the order of the sheet's lines
	Notes        []entry
	Sheet        sheet
}

// An entry is an entry of the legend.
type entry struct {
	Kind  string // kind of a note, and its CSS class: span, moment, crowd, missing, ramp, hatch, note
	Class string // CSS class for the colour of its role
	Name  string
	Note  string // text after the name
}

// A sheet holds a plot's numbers for the script. Byte slices become base64.
type sheet struct {
	X       wireAxis     `json:"x"`
	Y       wireAxis     `json:"y"`
	At      positions    `json:"at"`
	Lines   []wireLine   `json:"lines,omitempty"`
	Spans   []wireSpan   `json:"spans,omitempty"`
	Moments []wireMoment `json:"moments,omitempty"`
	Crowd   *wireCrowd   `json:"crowd,omitempty"`
	Heat    *wireHeat    `json:"heat,omitempty"`
}

type wireAxis struct {
	Scale string  `json:"scale"`
	Unit  string  `json:"unit,omitempty"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
}

// positions holds evenly spaced positions (From, Step, Count), or else a list of float64s.
type positions struct {
	From   float64 `json:"from"`
	Step   float64 `json:"step"`
	Count  int     `json:"count"`
	Uneven []byte  `json:"uneven,omitempty"`
}

// A wireLine has either Values (float32s, NaN: missing) or a Level.
type wireLine struct {
	Values []byte  `json:"values,omitempty"`
	Level  float64 `json:"level"`
	Step   bool    `json:"step,omitempty"`
	Dash   bool    `json:"dash,omitempty"`
	Strong bool    `json:"strong,omitempty"`
}

type wireSpan struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

type wireMoment struct {
	At float64 `json:"at"`
}

func (p plot) write(w io.Writer) error { return render(w, "plot", p) }

// Data returns the sheet for the script.
func (p plot) Data() (template.JS, error) { return asJSON(p.Title, p.Sheet) }

// asJSON returns a figure's data as JSON. Encoding escapes <, > and &, so that no name can end the
// element around it.
func asJSON(title string, data any) (template.JS, error) {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(data); err != nil {
		return "", fmt.Errorf("internal error: figure %q cannot be encoded: %w", title, err)
	}
	return template.JS(bytes.TrimSpace(text.Bytes())), nil
}

// plot returns the layout of the chart. Lines of one role get its colours in turn.
func (c Chart) plot() plot {
	p := plot{
		Title: c.Title,
		XName: c.X.name(),
		YName: c.Y.name(),
		Sheet: sheet{X: c.X.wire(), Y: c.Y.wire(), At: evenly(c.At)},
	}
	var seen [len(roles)]int
	line := func(name string, r Role, l wireLine) {
		l.Dash, l.Strong = r == Threshold, r == Suspect
		p.Sheet.Lines = append(p.Sheet.Lines, l)
		p.Lines = append(p.Lines, entry{Class: r.class(seen[r]), Name: name})
		seen[r]++
	}
	for _, s := range c.Series {
		line(s.Name, s.Role, wireLine{Values: float32s(s.Values), Step: s.Step})
	}
	for _, l := range c.Levels {
		line(l.Name, l.Role, wireLine{Level: l.Value})
	}
	for _, s := range c.Spans {
		p.Sheet.Spans = append(p.Sheet.Spans, wireSpan{s.From, s.To})
		p.Notes = append(p.Notes, entry{Kind: "span", Class: s.Role.class(0), Name: s.Label, Note: c.X.stretch(s.From, s.To)})
	}
	for _, m := range c.Moments {
		p.Sheet.Moments = append(p.Sheet.Moments, wireMoment{m.At})
		p.Notes = append(p.Notes, entry{Kind: "moment", Class: m.Role.class(0), Name: m.Label, Note: c.X.stretch(m.At, m.At)})
	}
	return p
}

func (a Axis) wire() wireAxis {
	return wireAxis{Scale: a.Scale.String(), Unit: a.Unit, Min: a.Min, Max: a.Max}
}

// stretch formats a range. The date is written once if both times are on the same day. If both
// times are equal, one time is written.
func (a Axis) stretch(from, to float64) string {
	if a.Scale != Time {
		return a.say(from) + " – " + a.say(to)
	}
	start, end := instant(from), instant(to)
	if from == to {
		return start + " UTC"
	}
	if start[:len(time.DateOnly)] == end[:len(time.DateOnly)] {
		end = end[len(time.DateOnly)+1:]
	}
	return start + " – " + end + " UTC"
}

func instant(epoch float64) string { return moment(epoch).Format(time.DateTime) }

// say formats a value with its unit: four digits, or from 1,000 to 1,000,000 all digits before the
// decimal point.
func (a Axis) say(v float64) string {
	text := strconv.FormatFloat(v, 'g', 4, 64)
	if size := math.Abs(v); size >= 1e3 && size < 1e6 {
		text = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strings.TrimSpace(text + " " + a.Unit)
}

// evenly encodes positions. Evenly spaced positions take only a few bytes.
func evenly(at []float64) positions {
	p := positions{From: at[0], Count: len(at)}
	if len(at) > 1 {
		p.Step = at[1] - at[0]
	}
	for i, x := range at {
		if x != p.From+float64(i)*p.Step {
			p.Step, p.Uneven = 0, float64s(at)
			break
		}
	}
	return p
}

func float64s(values []float64) []byte {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return data
}

// float32s encodes values with seven digits, which is more than a plot can show. A value that is
// not finite becomes NaN: missing.
func float32s(values []float64) []byte {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		bits := uint32(0x7fc00000) // always the same NaN, so that the same page has the same bytes
		if finite(v) {
			bits = math.Float32bits(float32(min(max(v, -math.MaxFloat32), math.MaxFloat32)))
		}
		data = binary.LittleEndian.AppendUint32(data, bits)
	}
	return data
}
