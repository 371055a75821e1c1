package tabular

import "bytes"

// Codes of rows without a text.
const (
	// NoText is the code of a row without a text.
	NoText = -1
	// Pass is the code of a row that is skipped without a fault.
	Pass = -2
)

// A Lexicon gives texts codes. The zero value numbers texts in the order of their first
// use.
//
// Tables repeat themselves: every hour has the same drives in the same order. So a text
// is first compared with the text that followed its predecessor the last time, and only
// then looked up.
type Lexicon struct {
	// Code returns the code of a text, whose number in the order of first use is
	// place; nil: the code is place. It is called once for each text.
	Code func(text string, place int32) int32

	texts  []string // in the order of first use
	codes  []int32  // code of each text
	places map[string]int32
	after  []int32 // by place: place of the text that followed the last time
	last   int32
}

// Texts returns all texts so far.
func (l *Lexicon) Texts() []string { return l.texts }

// Of returns the code of a text without the spaces around it; NoText for an empty one.
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

// find returns the place of a text.
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
