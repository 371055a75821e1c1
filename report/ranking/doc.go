// Package ranking prints the ranking of one or more looks, for people and for programs.
//
// In come a [look.Ranking], what moved between maps, and warnings. Out come text of at most 80
// columns with a small bar for each component, or JSON. The sentences are made in package
// sentence. Programs read names and numbers of the JSON.
//
// Read text.go first, then bar.go and json.go.
package ranking
