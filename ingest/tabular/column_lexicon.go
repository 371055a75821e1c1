package tabular

import "bytes"

// Codes of rows that are no texts.
const (
	// NoText is a row that has no text.
	NoText = -1
	// Pass is a row that nobody wants: it is passed over without a word.
	Pass = -2
)

// A Lexicon gives texts their codes. The zero value numbers them as they come
// up.
//
// Tables repeat themselves: every hour names the same drives in the same
// order. So a text is first held against the one that followed its predecessor
// the last time, and only then looked up.
type Lexicon struct {
	// Code, where there is one, says what the code of a text is to be,
	// which is the place-th of those that came up; it is asked once.
	Code func(text string, place int32) int32

	texts  []string // as they came up
	codes  []int32  // of them
	places map[string]int32
	after  []int32 // by place: that of the text that came next the last time
	last   int32
}

// Texts are all that have come up.
func (l *Lexicon) Texts() []string { return l.texts }

// Of is the code of a text without the spaces around it; no text has NoText.
func (l *Lexicon) Of(text []byte) int32 {
	if int(l.last) < len(l.after) {
		if next := l.after[l.last]; l.texts[next] == string(text) {
			l.last = next
			return l.codes[next]
		}
	}
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return NoText
	}
	at := l.find(text)
	l.after[l.last], l.last = at, at
	return l.codes[at]
}

// find is the place of a text.
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
	l.after = append(l.after, 0)
	code := at
	if l.Code != nil {
		code = l.Code(l.texts[at], at)
	}
	l.codes = append(l.codes, code)
	return at
}
