package tabular

import "bytes"

// Codes of rows without a text.
const (
	// NoText is the code of a row without a text.
	NoText = -1
	// Pass is the code of a row that is left out although it has no fault.
	Pass = -2
)

// A Lexicon gives each text a code, which is a number. The place of a text is also a number: the
// first text has the place 0, the next different text has the place 1, and so on. If the function
// Code is not set, the code of a text is its place.
//
// Tables repeat texts in the same order. For example, every hour has lines of the same drives in the
// same order. So for each text, the Lexicon stores the text that followed it the last time. When a
// new text comes, the Lexicon first compares it with the stored text that followed the previous
// text. It searches a map of all texts only if the two texts differ.
type Lexicon struct {
	// Code returns the code of a text. Its second argument is the place of the text. If Code is
	// nil, the code is the place. Code is called once for each text.
	Code func(text string, place int32) int32

	texts      []string         // by place: the text
	codes      []int32          // by place: code of the text
	places     map[string]int32 // place of each text
	successors []int32          // by place of a text: place of the text that followed it the last time
	last       int32            // place of the last text
}

// Texts returns all texts that have occurred so far, by place.
func (l *Lexicon) Texts() []string { return l.texts }

// CodeOf returns the code of a text. It ignores spaces around the text. It returns NoText for
// an empty text.
func (l *Lexicon) CodeOf(text []byte) int32 {
	if int(l.last) < len(l.successors) {
		if next := l.successors[l.last]; l.texts[next] == string(text) {
			l.last = next
			return l.codes[next]
		}
	}
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return NoText
	}
	at := l.find(text)
	l.successors[l.last], l.last = at, at
	return l.codes[at]
}

// find returns the place of a text. It adds the text if the text is new.
func (l *Lexicon) find(text []byte) int32 {
	if at, ok := l.places[string(text)]; ok {
		return at
	}
	if l.places == nil {
		l.places = make(map[string]int32)
	}
	at := int32(len(l.texts))
	l.texts = append(l.texts, string(text))
	l.places[l.texts[at]] = at
	l.successors = append(l.successors, 0)
	code := at
	if l.Code != nil {
		code = l.Code(l.texts[at], at)
	}
	l.codes = append(l.codes, code)
	return at
}
