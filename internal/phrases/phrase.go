package phrases

import (
	"regexp"
	"slices"
	"strings"
)

// Phrase is a text that limpet can print.
type Phrase struct {
	Room     string // room of ARCHITECTURE.md, such as report
	Package  string // folder below the root, such as report/sentence
	File     string // name of the file, such as headline.go
	Function string // name of the function, such as Headline; empty outside functions
	Text     []Segment

	inner bool // the text is a value of another phrase
}

// Segment is a part of a phrase: a text of the source, or a value.
type Segment struct {
	Text    string   // text of the source; empty if this is a value
	Example string   // example of the value
	Name    string   // name of the value in the source
	Choices []string // texts that the value can be

	guessed bool // the example does not follow from the name or the type of the value
}

// words matches a word of at least two letters.
var words = regexp.MustCompile(`\pL[\pL'’-]*\pL`)

// Own returns the text of the phrase in the source, with an ellipsis for each value, and the
// choices of the values.
func (p *Phrase) Own() string {
	var b strings.Builder
	for _, s := range p.Text {
		if s.Example != "" {
			b.WriteString("…")
			continue
		}
		b.WriteString(s.Text)
	}
	for _, s := range p.Text {
		for _, c := range s.Choices {
			b.WriteString(" · " + c)
		}
	}
	return b.String()
}

// Example returns the phrase with an example of each value.
func (p *Phrase) Example() string {
	var b strings.Builder
	for _, s := range p.Text {
		b.WriteString(s.Text + s.Example)
	}
	return b.String()
}

// word matches a word between two spaces: letters, with punctuation around them.
var word = regexp.MustCompile(`^[("“…-]*\pL[\pL'’…-]*[.,:;!?)"”…]*$`)

// reads reports whether segments are a text for people: at least one word that is not a value, and
// two words in total. A label may be one word. A text with several choices is always a text for
// people.
func reads(text []Segment, label bool) bool {
	p := Phrase{}
	for _, s := range text {
		if len(s.Choices) > 1 && len(text) > 1 {
			return true
		}
		p.Text = append(p.Text, Segment{Text: s.Text, Example: s.Example})
	}
	all := strings.Fields(p.Own())
	return (len(all) > 1 || label) && slices.ContainsFunc(all, func(w string) bool { return word.MatchString(w) && words.MatchString(w) })
}

// lines splits a text into phrases. Each paragraph is a phrase, and each indented line. If a line
// is indented by at least [continued] spaces more than the line before, it continues that line. A
// line after a value is a phrase of its own.
func lines(text []Segment, label bool) (cut [][]Segment) {
	var now []Segment
	indent := 0
	end := func() {
		if reads(now, label) {
			cut = append(cut, refine(trim(now)))
		}
		now = nil
	}
	for k, s := range text {
		if s.Example != "" {
			now = append(now, s)
			continue
		}
		for i, line := range strings.Split(s.Text, "\n") {
			inner := strings.TrimLeft(line, " ")
			deep := len(line) - len(inner)
			continues := inner != "" && deep >= indent+continued && len(now) > 0 && now[len(now)-1].Text != ""
			switch {
			case i == 0:
				deep = indent
			case strings.HasPrefix(line, "# ") && !strings.HasPrefix(line, "# -") && isComment(now): // a comment of several lines
				now, line = append(now, Segment{Text: " "}), line[2:]
			case continues:
				now, line, deep = append(now, Segment{Text: " "}), inner, indent
			case inner == "" || deep > 0 || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "- "),
				i == 1 && k > 0 && text[k-1].Example != "" && strings.TrimSpace(now[len(now)-1].Text) == "":
				end()
			default:
				now = append(now, Segment{Text: " "})
			}
			indent = deep
			now = append(now, Segment{Text: line})
		}
	}
	end()
	return cut
}

// isComment reports whether the segments of a line begin a comment in a file that limpet writes.
func isComment(now []Segment) bool {
	for _, s := range now {
		if s.Text != "" || s.Example != "" {
			return strings.HasPrefix(s.Text, "# ")
		}
	}
	return false
}

// continued is the least number of additional spaces before a line that continues the line before.
const continued = 4

// spaces matches characters that are printed as one space. gaps matches spaces between two columns.
var (
	spaces = regexp.MustCompile(`[\s\p{Cc}]+`)
	gaps   = regexp.MustCompile(`(\S)( {2,}|\t+)(\S|$)`)
)

// column separates two columns of a line in the book.
const column = " │ "

var columns = regexp.MustCompile(`\s*│\s*`)

// trim joins neighbouring texts, and removes spaces at both ends.
func trim(text []Segment) []Segment {
	var out []Segment
	for _, s := range text {
		if s.Example == "" && len(out) > 0 && out[len(out)-1].Example == "" {
			out[len(out)-1].Text += s.Text
			continue
		}
		out = append(out, s)
	}
	for i := range out {
		text := gaps.ReplaceAllString(columns.ReplaceAllString(out[i].Text, column), "$1"+column+"$3")
		if i > 0 && (strings.HasPrefix(text, "  ") || strings.HasPrefix(text, "\t")) {
			text = column + strings.TrimLeft(text, " \t")
		}
		if i == len(out)-1 {
			text = strings.TrimSuffix(text, column)
		}
		out[i].Text = spaces.ReplaceAllString(text, " ")
	}
	if len(out) > 0 {
		out[0].Text = strings.TrimLeft(out[0].Text, " ")
		out[len(out)-1].Text = strings.TrimRight(out[len(out)-1].Text, " ")
	}
	return slices.DeleteFunc(out, func(s Segment) bool { return s.Text == "" && s.Example == "" })
}
