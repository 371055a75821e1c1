// Package english prints numbers for people: three digits, a suitable unit, durations, and nouns
// and verbs that agree with a number. Sentences, plots and clients all use it, so that they print a
// quantity in the same way.
package english
