package topology

import (
	"fmt"
	"slices"
	"strings"
)

// FoldSorted sorts the names in natural order and folds them: "fs[1-2,4-8]".
func FoldSorted(names []string) string {
	return Fold(slices.SortedFunc(slices.Values(names), Compare))
}

// Fold is the inverse of [Expand]. It writes consecutive names as ranges, in the given order:
// "fs[1-4,7], mds1".
func Fold(names []string) string {
	var parts []string
	for len(names) > 0 {
		prefix, n := samePrefix(names)
		parts = append(parts, foldTails(prefix, names[:n]))
		names = names[n:]
	}
	return strings.Join(parts, ", ")
}

// FoldFew writes names as [FoldSorted] does. If the text is longer than a line, it has only the first
// few names, and the number of the others: "a, b, c and 249 more".
func FoldFew(names []string) string {
	const wide, few = 120, 5
	folded := FoldSorted(names)
	if len(folded) <= wide || len(names) <= few {
		return folded
	}
	first := slices.SortedFunc(slices.Values(names), Compare)[:few]
	return fmt.Sprintf("%s and %d more", Fold(first), len(names)-few)
}

// samePrefix returns how many names at the beginning differ only in their counter.
func samePrefix(names []string) (prefix string, n int) {
	prefix, tail := splitCounter(names[0])
	for n = 1; n < len(names) && tail != ""; n++ {
		p, t := splitCounter(names[n])
		if p != prefix || t == "" || !countable(tail, t) {
			break
		}
	}
	return prefix, n
}

func foldTails(prefix string, names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	var items []string
	for i := 0; i < len(names); {
		lo := names[i][len(prefix):]
		hi, n := lo, 1
		for ; i+n < len(names) && names[i+n][len(prefix):] == next(hi); n++ {
			hi = next(hi)
		}
		if n > 1 {
			lo += "-" + hi
		}
		items = append(items, lo)
		i += n
	}
	if prefix == "" {
		return strings.Join(items, ", ")
	}
	return prefix + "[" + strings.Join(items, ",") + "]"
}

// splitCounter splits a name before its counter: the digits at its end, or the letters of a drive.
func splitCounter(name string) (prefix, counter string) {
	if prefix, number := splitNumber(name); number != "" {
		return prefix, number
	}
	if prefix := driveLetters(name); prefix != "" {
		return prefix, name[len(prefix):]
	}
	return name, ""
}

// splitNumber splits a name before the digits at its end: fs124 → fs, 124.
func splitNumber(name string) (prefix, number string) {
	prefix = strings.TrimRight(name, "0123456789")
	return prefix, name[len(prefix):]
}

// driveLetters returns the prefix of a drive that the kernel counts in letters: sd of sdaa; "":
// another name.
func driveLetters(name string) string {
	for _, prefix := range []string{"sd", "hd", "vd", "xvd", "dasd"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && isWithin(rest, 'a', 'z') {
			return prefix
		}
	}
	return ""
}
