// Package ingest is where rows come from. A [Source] opens files, finds or is
// told the components of the system, and yields rows on one clock; nothing
// downstream knows which source it was.
//
// Each source is a package below this one: collect/activity reads the activity
// files of many servers, collect/tables reads long tables, CSV or Parquet.
//
// Bad input costs one clear warning and what it touched, never the rest. A
// source stops soon after its context has ended.
package ingest
