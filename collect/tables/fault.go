package tables

import (
	"fmt"

	"github.com/limpet-storage/limpet/collect"
	"github.com/limpet-storage/limpet/collect/tables/internal/csv"
)

// A fault is something wrong with a line or a value.
type fault uint8

// The faults, in the order in which a line meets them.
const (
	none fault = iota
	badQuotes
	tooShort
	tooLong
	badTime
	strangeTime
	nameless
	notNumber
	negative
	infinite
	faultCount
)

// text says what is wrong, how often, and what to do.
func (k fault) text(n int, example string, c *clock) string {
	switch k {
	case badQuotes:
		return fmt.Sprintf("%s left out, for quotes that do not end or for more than %d kB; mend the first, %s", count(n, "line"), csv.MaxRecord>>10, example)
	case tooShort:
		return fmt.Sprintf("%s fewer fields than the header, the first %s; what they lack is missing: export the file again if it was cut off", countHave(n, "line"), example)
	case tooLong:
		return fmt.Sprintf("%s left out, which %s more fields than the header, the first %s; write decimals with a point and quote separators", count(n, "line"), has(n), example)
	case badTime:
		return fmt.Sprintf("%s left out, whose time is not %s, the first %s; state the format under time:", count(n, "line"), c.format, example)
	case strangeTime:
		return fmt.Sprintf("%s left out, whose time is not between 1970 and 2200, the first %s; state its unit under time:, such as format: unix_ms", count(n, "line"), example)
	case nameless:
		return fmt.Sprintf("%s left out, which %s no component or group; fill the columns that name them", count(n, "line"), pick(n, "names", "name"))
	case notNumber:
		return fmt.Sprintf("%s no numbers and taken as missing, the first %s; write NA for what was not measured", countAre(n, "value"), example)
	case negative:
		return fmt.Sprintf("%s below zero and taken as missing, the first %s; write NA for what was not measured", countAre(n, "value"), example)
	}
	return fmt.Sprintf("%s infinite and taken as missing, the first %s; write NA for what was not measured", countAre(n, "value"), example)
}

// faults counts what is wrong with a file, each kind with its first line.
type faults struct {
	counts [faultCount]int
	lines  [faultCount]int
	firsts [faultCount]string
}

// note counts a fault; column names the one with a bad value.
func (f *faults) note(k fault, line int, example []byte, column string) {
	if f.counts[k] == 0 {
		f.lines[k], f.firsts[k] = line, excerpt(example)
		if column != "" {
			f.firsts[k] += " in " + column
		}
	}
	f.counts[k]++
}

func (f *faults) warnings(file string, c *clock) []collect.Warning {
	var warnings []collect.Warning
	for k := badQuotes; k < faultCount; k++ {
		if n := f.counts[k]; n > 0 {
			warnings = append(warnings, collect.Warning{File: file, Line: f.lines[k], Text: k.text(n, f.firsts[k], c)})
		}
	}
	return warnings
}

// maxExcerpt keeps a warning to a line or two of a terminal.
const maxExcerpt = 40

// excerpt quotes the beginning of a field or line.
func excerpt(text []byte) string {
	if len(text) > maxExcerpt {
		return fmt.Sprintf("%q…", text[:maxExcerpt])
	}
	return fmt.Sprintf("%q", text)
}

func pick(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func count(n int, noun string) string     { return fmt.Sprintf("%d %s", n, pick(n, noun, noun+"s")) }
func countAre(n int, noun string) string  { return count(n, noun) + pick(n, " is", " are") }
func countHave(n int, noun string) string { return count(n, noun) + " " + has(n) }
func has(n int) string                    { return pick(n, "has", "have") }
