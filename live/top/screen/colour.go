package screen

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/live/top"
)

// A depth is the number of colours that a terminal can show.
type depth uint8

// The depths.
const (
	noColour depth = iota
	colours16
	colours256
	trueColour
)

// depthOf returns the depth of a terminal from the environment variables. NO_COLOR with any text turns
// colours off (no-color.org).
func depthOf(env func(string) string) depth {
	name, true24 := env("TERM"), env("COLORTERM")
	switch {
	case env("NO_COLOR") != "", name == "", name == "dumb", strings.HasSuffix(name, "-mono"), strings.HasPrefix(name, "vt1"), strings.HasPrefix(name, "vt2"):
		return noColour
	case true24 == "truecolor", true24 == "24bit", strings.HasSuffix(name, "-direct"):
		return trueColour
	case strings.Contains(name, "256"):
		return colours256
	}
	return colours16
}

// isUnicode reports whether the locale uses UTF-8.
func isUnicode(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

// A colour has a value for each of the three depths: one of 16 colours, one of 256 colours, or the
// shares of red, green and blue (24 bits).
type colour struct {
	basic, indexed int
	rgb            [3]int
}

// palette has the colours of Okabe and Ito. People with any kind of colour blindness can distinguish
// them. All colours are readable on black and on white. The signs of lines give the same information as
// the colours.
var palette = map[top.Kind]colour{
	top.Incident: {35, 169, [3]int{204, 87, 155}},  // reddish purple
	top.Suspect:  {31, 166, [3]int{213, 94, 0}},    // vermilion
	top.Marked:   {33, 172, [3]int{214, 140, 0}},   // orange
	top.Unsure:   {34, 32, [3]int{0, 130, 200}},    // blue
	top.InBand:   {36, 36, [3]int{0, 158, 115}},    // bluish green
	top.Faint:    {90, 244, [3]int{128, 128, 128}}, // grey
}

// sequence returns the escape sequence with which a terminal of the given depth shows a style.
func (s style) sequence(d depth) string {
	codes := []string{"0"}
	if s.bold || s.kind == top.Incident || s.kind == top.Suspect || s.kind == top.Dot || s.kind == top.Heading {
		codes = append(codes, "1")
	}
	if s.reverse || s.kind == top.Heading {
		codes = append(codes, "7")
	}
	if c, ok := palette[s.kind]; ok {
		switch d {
		case colours16:
			codes = append(codes, fmt.Sprint(c.basic))
		case colours256:
			codes = append(codes, fmt.Sprintf("38;5;%d", c.indexed))
		case trueColour:
			codes = append(codes, fmt.Sprintf("38;2;%d;%d;%d", c.rgb[0], c.rgb[1], c.rgb[2]))
		}
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}
