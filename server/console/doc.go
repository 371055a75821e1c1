// Package console is the page of a running diagnosis in a browser: what limps, since
// when, how sure that is, and what to do.
//
// The stance: the console is a reader of the API and nothing else. It is built from
// the sources in web/ by `make console`; the output is committed in dist/ and
// embedded, so that whoever has the program has the console. It asks no other
// server for anything, has no script but its own files, and what it shows was said
// by the API. The one document that this package makes itself is that of the
// system: names, places, groups and metrics of everything that is watched, in
// columns, so that a map of 100,000 drives is one small answer.
package console
