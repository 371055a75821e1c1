package topology

import (
	"fmt"
	"strconv"
	"strings"
)

// maxNames is the largest number of names of one pattern: a typing mistake ([1-1000000000]) gives
// an error and does not fill the memory.
const maxNames = 1 << 17

// Expand returns the names that a pattern stands for, in order.
//
//	fs[1-128]       fs1, fs2, … fs128
//	[00-71]         00, 01, … 71: zeros are kept
//	00-71           the same: two bare numbers need no brackets
//	fs[1-4,7]       fs1, … fs4, fs7
//	fs[1-127/2]     every second name: fs1, fs3, … fs127
//	sd[b-bu]        sdb, … sdz, sdaa, … sdbu: letters count as in the names of drives
//	r[1-2]n[1-4]    r1n1, … r1n4, r2n1, … r2n4
//	fs[1-4], mds1   several patterns
//
// It returns an error if a name appears twice.
func Expand(pattern string) ([]string, error) {
	var names []string
	for _, part := range splitPatterns(pattern) {
		some, err := expandOne(bracketed(strings.TrimSpace(part)))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", pattern, err)
		}
		if names = append(names, some...); len(names) > maxNames {
			return nil, fmt.Errorf("%q: %w", pattern, errTooMany)
		}
	}
	if name, ok := firstTwice(names); ok {
		return nil, fmt.Errorf("%q: %s is listed twice; list the name once", pattern, name)
	}
	return names, nil
}

var errTooMany = fmt.Errorf("there are more than %d names, which is the limit; use a smaller range", maxNames)

// splitPatterns splits a pattern at the commas outside brackets.
func splitPatterns(pattern string) []string {
	var parts []string
	depth, start := 0, 0
	for i, r := range pattern {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == ',' && depth == 0:
			parts = append(parts, pattern[start:i])
			start = i + 1
		}
	}
	return append(parts, pattern[start:])
}

// bracketed turns a bare 00-71 into [00-71].
func bracketed(pattern string) string {
	lo, hi, ok := strings.Cut(pattern, "-")
	hi, step, stepped := strings.Cut(hi, "/")
	if ok && isDigits(lo) && isDigits(hi) && (!stepped || isDigits(step)) {
		return "[" + pattern + "]"
	}
	return pattern
}

// expandOne expands the first brackets of a pattern, then the rest of it.
func expandOne(pattern string) ([]string, error) {
	if pattern == "" {
		return nil, fmt.Errorf("a name is empty; write a name, or remove the comma")
	}
	open := strings.IndexAny(pattern, "[]")
	if open < 0 {
		return []string{pattern}, nil
	}
	length := strings.IndexAny(pattern[open+1:], "[]")
	if pattern[open] != '[' || length < 0 || pattern[open+1+length] != ']' {
		return nil, fmt.Errorf("a bracket is missing; write name[1-8]")
	}
	items, err := expandItems(pattern[open+1 : open+1+length])
	if err != nil {
		return nil, err
	}
	tails := []string{""}
	if rest := pattern[open+length+2:]; rest != "" {
		if tails, err = expandOne(rest); err != nil {
			return nil, err
		}
	}
	return product(pattern[:open], items, tails)
}

func product(prefix string, items, tails []string) ([]string, error) {
	if len(items)*len(tails) > maxNames {
		return nil, errTooMany
	}
	names := make([]string, 0, len(items)*len(tails))
	for _, item := range items {
		for _, tail := range tails {
			names = append(names, prefix+item+tail)
		}
	}
	return names, nil
}

// expandItems expands what stands between brackets: 1-4,7.
func expandItems(list string) ([]string, error) {
	var names []string
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			return nil, fmt.Errorf("the brackets are empty or have a superfluous comma; write [1-8] or [1-4,7]")
		}
		lo, hi, isRange := strings.Cut(item, "-")
		if !isRange {
			names = append(names, item)
			continue
		}
		some, err := expandRange(item, lo, hi)
		if err != nil {
			return nil, err
		}
		if names = append(names, some...); len(names) > maxNames {
			return nil, errTooMany
		}
	}
	return names, nil
}

func expandRange(item, lo, hi string) ([]string, error) {
	hi, by, stepped := strings.Cut(hi, "/")
	step := 1
	if stepped {
		var err error
		if step, err = strconv.Atoi(by); err != nil || step < 1 {
			return nil, fmt.Errorf("the step %q in %s is not a positive number; write a step such as the 2 in [1-127/2]", by, item)
		}
	}
	switch {
	case !countable(lo, hi):
		return nil, fmt.Errorf("%s is not a range; write a range of numbers, such as [1-8], or of letters, such as [b-bu]", item)
	case len(hi) > len(lo) && hi[0] == '0', len(hi) < len(lo) && lo[0] == '0':
		return nil, fmt.Errorf("the two ends of %s have different numbers of digits; write both ends with the same number of digits, such as [00-71]", item)
	case countsAfter(lo, hi):
		return nil, fmt.Errorf("the range %s is in the wrong order; write the smaller number or the earlier letter first", item)
	}
	return count(lo, hi, step)
}

// count lists every step-th name from lo to hi.
func count(lo, hi string, step int) ([]string, error) {
	var names []string
	for n, at := 0, lo; !countsAfter(at, hi); n, at = n+1, next(at) {
		if n >= maxNames {
			return nil, errTooMany
		}
		if n%step == 0 {
			names = append(names, at)
		}
	}
	return names, nil
}

// countable reports whether both are numbers, or both letters of one case.
func countable(lo, hi string) bool {
	return isDigits(lo) && isDigits(hi) ||
		isWithin(lo, 'a', 'z') && isWithin(hi, 'a', 'z') ||
		isWithin(lo, 'A', 'Z') && isWithin(hi, 'A', 'Z')
}

// countsAfter orders names of one counter: the longer is later, 9 < 10, z < aa.
func countsAfter(a, b string) bool {
	if len(a) != len(b) {
		return len(a) > len(b)
	}
	return a > b
}

// next counts on by one: 09 → 10, 99 → 100, az → ba, zz → aaa.
func next(name string) string {
	b := []byte(name)
	for i := len(b) - 1; i >= 0; i-- {
		switch b[i] {
		case '9':
			b[i] = '0'
		case 'z', 'Z':
			b[i] -= 'z' - 'a'
		default:
			b[i]++
			return string(b)
		}
	}
	if b[0] == '0' {
		return "1" + string(b)
	}
	return string(b[:1]) + string(b)
}

func isDigits(s string) bool { return isWithin(s, '0', '9') }

func isWithin(s string, from, to byte) bool {
	for i := range len(s) {
		if s[i] < from || s[i] > to {
			return false
		}
	}
	return s != ""
}

func firstTwice(names []string) (string, bool) {
	seen := make(map[string]bool, len(names))
	for _, name := range names {
		if seen[name] {
			return name, true
		}
		seen[name] = true
	}
	return "", false
}
