// Package english prints numbers as people read them: three digits, the unit that
// fits, durations, and nouns and verbs that agree with a number.
//
// It knows units and nothing of storage. Sentences, plots and clients print a
// quantity alike because all of them ask here.
package english
