// Package site holds what a site's own tools say of its storage: which drives
// and LUNs there are, who serves them, and where they sit.
//
// Every tool has a parser in a package of its own below this one. A parser
// takes a [Text], claims the lines that it understands, and returns an
// [Inventory]: plain sightings, each with the file and line that it stands in.
// It knows nothing of other tools, and guesses nothing: what it does not
// understand stays unclaimed, and the caller names it.
//
// Package site itself knows no tool. It cuts a file into the outputs of single
// commands and finds the JSON documents in it. Package site/merge joins
// sightings, site/draft writes a topology file from them.
package site
