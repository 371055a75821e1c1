package phrases

import (
	"html"
	"regexp"
	"slices"
	"strings"
)

// inline are the tags that can be inside a sentence.
var inline = []string{"a", "abbr", "b", "br", "code", "em", "i", "kbd", "small", "span", "strong", "sub", "sup", "Time", "var"}

// unread matches the names of attributes that are not shown to people.
var unread = regexp.MustCompile(`^(class|style|d|points|viewBox|transform|href|src|content|rel|id|http-equiv|name|type|role|on[a-z]+|x\d?|y\d?|dx|dy|width|height|use:.*|bind:.*|style:.*|class:.*)$`)

var (
	comment   = regexp.MustCompile(`(?s)<!--.*?-->|\{\{/\*.*?\*/\}\}`)
	style     = regexp.MustCompile(`(?s)<style.*?</style>`)
	scripts   = regexp.MustCompile(`(?s)<script[^>]*>(.*?)</script>`)
	attribute = regexp.MustCompile(`(?s)([\w:-]+)=("[^"]*"|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\})`)
	quoted    = regexp.MustCompile("\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`")
	pluralOf  = regexp.MustCompile(`^plural\([^"]*"([a-z ]+)"`)
	last      = regexp.MustCompile(`([A-Za-z]\w*)\W*$`)
	compared  = regexp.MustCompile(`[!=]==? *("[^"\n]*"|'[^'\n]*')`) // a comparison with a name that is not shown
)

// markup reads a template of pages, or a part of the console.
func (c *collector) markup(name, text string) error {
	text = style.ReplaceAllString(comment.ReplaceAllString(text, ""), "")
	for _, m := range scripts.FindAllStringSubmatch(text, -1) {
		if err := c.script(name, m[1]); err != nil {
			return err
		}
	}
	text = scripts.ReplaceAllString(text, "<p>")
	templates := strings.HasSuffix(name, ".tmpl")
	var now []Segment
	closed := false // a span was closed, and no text follows it
	end := func() {
		c.add(name, oneLine(now), true)
		now = nil
	}
	for len(text) > 0 {
		at := strings.IndexAny(text, "<{")
		if at < 0 {
			at = len(text)
		}
		now = append(now, Segment{Text: text[:at]})
		closed = closed && strings.TrimSpace(text[:at]) == ""
		text = text[at:]
		switch {
		case text == "":
		case text[0] == '<':
			n := tagEnd(text)
			tag := text[:n]
			text = text[n:]
			element := strings.TrimRight(strings.Fields(strings.Trim(tag, "</>") + " ")[0], "/>")
			switch {
			case element == "Time":
				now = append(now, Segment{Example: "02:00", Name: "time"})
			case element == "br":
				end()
			case element == "span" && closed && tag[1] != '/': // entries of a legend
				now = append(now, Segment{Text: column})
			case !slices.Contains(inline, element):
				end()
			}
			closed = strings.HasPrefix(tag, "</span")
			for _, a := range attribute.FindAllStringSubmatch(tag, -1) {
				if !unread.MatchString(a[1]) {
					c.attribute(name, a[2], templates)
				}
			}
		default:
			n := braceEnd(text)
			action := strings.Trim(text[:n], "{}- ")
			text = text[n:]
			switch first, _, _ := strings.Cut(action, " "); {
			case first == "define" || first == "block" || first == "else" || strings.HasPrefix(first, ":") || first == "#each" || first == "range":
				end()
			case slices.Contains([]string{"if", "with", "end", "template"}, first) || strings.HasPrefix(first, "#") || strings.HasPrefix(first, "/") || strings.HasPrefix(first, "@") || strings.Contains(first, ":="):
			default:
				now, closed = append(now, valueOf(name, action)), false
			}
		}
	}
	end()
	return nil
}

// attribute reads the value of an attribute.
func (c *collector) attribute(name, value string, templates bool) {
	if value[0] == '{' {
		if v := valueOf(name, value); len(v.Choices) > 0 {
			for _, text := range v.Choices {
				c.add(name, []Segment{{Text: text}}, false)
			}
		}
		return
	}
	value = strings.Trim(value, `"`)
	var text []Segment
	for {
		before, after, found := strings.Cut(value, "{")
		text = append(text, Segment{Text: before})
		if !found {
			break
		}
		n := braceEnd("{" + after)
		action := strings.Trim(("{" + after)[:n], "{}- ")
		value = ("{" + after)[n:]
		if first, _, _ := strings.Cut(action, " "); !templates || !slices.Contains([]string{"if", "with", "end", "else"}, first) {
			text = append(text, valueOf(name, action))
		}
	}
	c.add(name, oneLine(text), false)
}

// oneLine replaces ends of lines by spaces.
func oneLine(text []Segment) []Segment {
	for i := range text {
		text[i].Text = spaces.ReplaceAllString(html.UnescapeString(text[i].Text), " ")
	}
	return text
}

// valueOf returns the value of an action of a template, or of an expression of a script.
func valueOf(file, action string) Segment {
	v := Segment{Name: "value"}
	for _, m := range quoted.FindAllStringSubmatch(compared.ReplaceAllString(action, ""), -1) {
		if !strings.ContainsAny(action, "?|") && !strings.HasPrefix(action, "or ") {
			break // a key, and not a choice
		}
		if text := strings.TrimSpace(m[1] + m[2]); words.MatchString(text) && !slices.Contains(v.Choices, text) {
			v.Choices = append(v.Choices, text)
		}
	}
	if m := last.FindStringSubmatch(quoted.ReplaceAllString(action, "")); m != nil {
		v.Name = m[1]
	}
	v.Example = byEnd(texts, strings.ToLower(v.Name))
	if example := inPackage(file, v.Name); example != "" {
		v.Example = example
	}
	// A function gives its value a unit, so it decides before the name of the value.
	for function, example := range map[string]string{"percent(": "2.4 %", "times(": "3.2 times", "time(": "24.1 ms", "digits(": "24.1", "count(": "12", "span(": "5 min", "plural(": "3 drives", "clock(": "02:00", "between(": "5 min", "quantity(": "24.1 ms", "noun(": "disks", "nouns(": "disks"} {
		if strings.HasPrefix(action, function) {
			v.Example = example
		}
	}
	if m := pluralOf.FindStringSubmatch(action); m != nil {
		v.Example = "3 " + m[1] + "s"
	}
	if len(v.Choices) > 0 && !strings.Contains(action, "plural(") {
		v.Example = v.Choices[0]
	}
	return v
}

// tagEnd returns the length of a tag: it ends at the first > outside of quotes and braces.
func tagEnd(text string) int {
	var quote byte
	depth := 0
	for i := range len(text) {
		switch b := text[i]; {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case b == '"' && depth == 0:
			quote = b
		case b == '{':
			depth++
		case b == '}':
			depth--
		case b == '>' && depth == 0:
			return i + 1
		}
	}
	return len(text)
}

// braceEnd returns the length of a text in braces, with both braces.
func braceEnd(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// notText matches texts of scripts that are not shown to people: imports, styles, attributes,
// events.
var notText = regexp.MustCompile(`^[\w.#\[\]="$>:, -]*[\[\].#{}=][\w.#\[\]="$>:,{} -]*$|^(px|rem)|sans-serif|^\s*[a-z-]+: [^ ]+;|^[a-z]+-[a-z]+ [a-z]+-[a-z]+|^no-store|^use strict|^:scope|^figure[ .]`)

// script reads the texts of a script, in the order of the source.
func (c *collector) script(name, source string) error {
	var now []Segment
	end := func() {
		text := oneLine(now)
		now = nil
		p := Phrase{Text: text}
		if own := p.Example(); strings.Contains(strings.TrimSpace(own), " ") && !notText.MatchString(own) && !form.MatchString(own) {
			c.add(name, text, false)
		}
	}
	for i := 0; i < len(source); {
		switch b := source[i]; {
		case strings.HasPrefix(source[i:], "//"):
			i += until(source[i:], "\n")
		case strings.HasPrefix(source[i:], "/*"):
			i += 2 + until(source[i+2:], "*/")
		case b == '/' && regexpBegins(source[:i]):
			i += regexpEnd(source[i:])
		case b == '"' || b == '\'':
			n := stringEnd(source[i:], b)
			if key(source[:i], source[i+n:]) {
				i += n
				continue
			}
			now = append(now, Segment{Text: unescape(source[i+1 : i+n-1])})
			i += n
			next, sum := strings.CutPrefix(strings.TrimLeft(source[i:], " \n\t"), "+")
			if next = strings.TrimLeft(next, " \n\t"); !sum || !strings.ContainsAny(next[:min(1, len(next))], "\"'`") {
				if sum { // a value follows
					now = append(now, Segment{Example: unknown, Name: "value"})
				}
				end()
			}
		case b == '`':
			n := templateEnd(source[i:])
			now = append(now, templateText(name, source[i+1:i+n-1])...)
			i += n
			end()
		default:
			i++
		}
	}
	return nil
}

// key reports whether a string between two parts of a source is the key of an object, or part of a
// comparison. People do not read such strings.
func key(before, after string) bool {
	before, after = strings.TrimRight(before, " \n\t"), strings.TrimLeft(after, " \n\t")
	return strings.HasSuffix(before, "==") || before != "" && strings.ContainsRune("{,", rune(before[len(before)-1])) && strings.HasPrefix(after, ":")
}

// templateText returns the text between backquotes, with its values.
func templateText(file, text string) (out []Segment) {
	for {
		before, after, found := strings.Cut(text, "${")
		out = append(out, Segment{Text: unescape(before)})
		if !found {
			return out
		}
		n := braceEnd("{" + after)
		out = append(out, valueOf(file, strings.Trim(("{" + after)[:n], "{} ")))
		text = ("{" + after)[n:]
	}
}

// unescape replaces the escapes of a script by their characters.
func unescape(text string) string {
	return strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\'`, "'").Replace(text)
}

// until returns the length of a text up to end, with end.
func until(text, end string) int {
	if at := strings.Index(text, end); at >= 0 {
		return at + len(end)
	}
	return len(text)
}

// stringEnd returns the length of a string with its quotes.
func stringEnd(text string, quote byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return len(text)
}

// templateEnd returns the length of a template with its backquotes.
func templateEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case strings.HasPrefix(text[i:], "${"):
			i += braceEnd(text[i+1:])
		case text[i] == '`':
			return i + 1
		}
	}
	return len(text)
}

// regexpBegins reports whether a slash after the source text before begins a regular expression.
// After a value, the slash is a division.
func regexpBegins(before string) bool {
	before = strings.TrimRight(before, " ")
	return before != "" && strings.ContainsRune("(,=:[!&|?{};\n", rune(before[len(before)-1]))
}

// regexpEnd returns the length of a regular expression.
func regexpEnd(text string) int {
	class := false
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return i + 1
			}
		case '\n':
			return i
		}
	}
	return len(text)
}
