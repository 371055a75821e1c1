package yamlfile

import (
	"fmt"
	"slices"
	"strings"
)

// suggest names the nearest known key, or all of them.
func suggest(key string, known []string) string {
	nearest := slices.MinFunc(known, func(a, b string) int { return distance(key, a) - distance(key, b) })
	if distance(key, nearest) <= 2 {
		return fmt.Sprintf("did you mean %s?", nearest)
	}
	return "it takes " + strings.Join(known, ", ")
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
