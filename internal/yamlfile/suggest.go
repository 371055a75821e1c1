package yamlfile

import (
	"fmt"
	"slices"
	"strings"
)

// suggest returns a hint with the most similar known key, or with all known keys.
func suggest(key string, known []string) string {
	if nearest, ok := Nearest(key, known); ok {
		return fmt.Sprintf("did you mean %s?", nearest)
	}
	return "the known settings are " + strings.Join(known, ", ")
}

// mostTypos is the largest distance of a misspelt word from a known word.
const mostTypos = 2

// Nearest returns the known word that is most similar to a misspelt word. ok is false if no known
// word is similar enough.
func Nearest(word string, known []string) (nearest string, ok bool) {
	if len(known) == 0 {
		return "", false
	}
	nearest = slices.MinFunc(known, func(a, b string) int { return distance(word, a) - distance(word, b) })
	return nearest, distance(word, nearest) <= mostTypos
}

// distance returns the Levenshtein distance: the number of bytes to change, add or remove.
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
