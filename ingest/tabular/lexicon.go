package tabular

import "bytes"

// Codes of rows that have no text, or are left out.
const (
	// NoText is the code of a row without a text.
	NoText = -1
	// Pass is the code of a row that is left out although it has no fault, for example because its
	// metric is not used.
	Pass = -2
)

// A Lexicon gives each text a code, which is a number. It also has an index for each text: the
// first text has the index 0, the next different text has the index 1, and so on. If the function
// Code is not set, the code of a text is its index.
//
// Tables repeat texts in the same order. For example, every hour has lines of the same drives in
// the same order. So the Lexicon guesses the next text: if B followed A the last time, it guesses
// that B follows A again. The Lexicon searches a map of all texts only if the guess is wrong.
type Lexicon struct {
	// Code returns the code of a text. The parameter `place` is the index of this text (see
	// Lexicon). If Code is nil, the code of a text is its index. Code is called once for each text.
	Code func(text string, place int32) int32

	texts      []string         // all texts, by index
	codes      []int32          // codes of the texts, by index
	places     map[string]int32 // index of each text
	successors []int32          // for each text: index of the text that followed it the last time
	last       int32            // index of the last text
}

// Texts returns all texts that have occurred so far, by index.
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

// find returns the index of a text. It adds the text if the text is new.
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
