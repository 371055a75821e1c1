// Package ranking prints the ranking of one or more looks, for people and for programs.
//
// In come a [look.Ranking], the changes between maps, and warnings. Out come text of at most 80
// columns with a small bar for each component, or JSON. Package sentence makes the sentences.
// Programs read names and numbers of the JSON.
//
// Read text.go first, then bar.go and json.go.
package ranking
