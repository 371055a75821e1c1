// Package english prints numbers as people read them: three digits, the unit that fits,
// durations, and nouns and verbs that agree with a number. Sentences, plots and clients
// all use it, so that they print a quantity alike.
package english
