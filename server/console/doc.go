// Package console serves the page of a running diagnosis in a browser. The page shows what limps,
// since when, how certain the diagnosis is, and what to do.
//
// The page is built from the TypeScript in web/ by make console. The output in dist/ is committed
// and embedded in the program. The page reads only the API of its own server. It shows the
// sentences of the API unchanged and does not parse them: numbers and names come from fields of
// documents.
//
// This package makes one document itself, the system: names, places, groups and metrics of all
// components in columns, so that a map of 100,000 drives is one small answer.
//
// Read first: handler.go serves the files, system.go makes the document, web/src/lib/live.svelte.ts
// sends requests to the API.
package console
