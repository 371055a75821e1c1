package topology

import (
	"cmp"
	"strings"
)

// Compare orders names as people count: fs2 before fs10, sdz before sdaa,
// 6.00.1 before 21.71.128. It is a total order, for use with slices.SortFunc;
// 1 and 01 are told apart last, by their bytes.
func Compare(a, b string) int {
	restA, restB := a, b
	for restA != "" && restB != "" {
		var runA, runB string
		runA, restA = cutRun(restA)
		runB, restB = cutRun(restB)
		if c := compareRuns(runA, runB); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(len(restA), len(restB)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// cutRun cuts the leading run of digits, or of lower-case letters, or one
// other byte.
func cutRun(s string) (run, rest string) {
	n := 1
	for n < len(s) && charClass(s[n]) != 0 && charClass(s[n]) == charClass(s[0]) {
		n++
	}
	return s[:n], s[n:]
}

func charClass(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return '0'
	case 'a' <= c && c <= 'z':
		return 'a'
	}
	return 0
}

func compareRuns(a, b string) int {
	if isDigits(a) && isDigits(b) {
		return compareCounters(strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0"))
	}
	if p := driveLetters(a); p != "" && p == driveLetters(b) {
		return compareCounters(a, b)
	}
	return strings.Compare(a, b)
}

func compareCounters(a, b string) int {
	if c := cmp.Compare(len(a), len(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}
