// Package site reads the output of a site's own tools about its storage: which drives
// and LUNs there are, which servers serve them, and where they are.
//
// In: files of tools' output, plain, compressed or in archives ([ReadFiles]). Out: one
// [Inventory], joined by [Join], from which package topology/site/draft writes a topology file.
//
// Each tool has one file here, such as zfs.go and lsblk.go. A parser takes a [Text],
// claims the lines that it understands, and adds sightings to an [Inventory], each with
// its file and line. Parsers are independent of each other and guess nothing: a line that
// none of them understands stays unclaimed, and the caller names it. formats.go lists all
// parsers; cut.go cuts a file into the outputs of single commands, and json.go finds the
// JSON documents in it; merge.go joins the sightings of the same device.
//
// To add a tool, write its parser in a file of its own and add it to the list in
// formats.go. Read formats.go first, then inventory.go and a short parser, megacli.go.
package site
