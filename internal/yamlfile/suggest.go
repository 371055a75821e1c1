package yamlfile

import (
	"fmt"
	"slices"
	"strings"
)

// suggest names the nearest known key, or all of them.
func suggest(key string, known []string) string {
	if nearest, ok := Nearest(key, known); ok {
		return fmt.Sprintf("did you mean %s?", nearest)
	}
	return "it has the settings " + strings.Join(known, ", ")
}

// mostTypos is how many letters a word may differ in from what was meant.
const mostTypos = 2

// Nearest is the known word that a misspelt one was meant to be, if there is any.
func Nearest(word string, known []string) (nearest string, ok bool) {
	if len(known) == 0 {
		return "", false
	}
	nearest = slices.MinFunc(known, func(a, b string) int { return distance(word, a) - distance(word, b) })
	return nearest, distance(word, nearest) <= mostTypos
}

// distance is Levenshtein's: how many letters to change, add or take out.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
