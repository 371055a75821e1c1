// Package ingest and the packages below it turn the measurements of a site into
// rows on one clock.
//
// Files, tables, the output of tools, stores, pushed and scraped samples come
// in. A [Source] goes out: the system that was found or described, and rows of
// it in time order. The packages behind it do not depend on the kind of source.
//
// Each kind of source is a package: ingest/activity reads activity files,
// ingest/tables reads CSV and Parquet tables and the tables that tools print,
// ingest/store queries Prometheus and other stores, ingest/intake receives
// pushed and scraped samples. This package has the histograms of tools
// ([HistogramSource]) and the [Selection] of a period and of servers.
//
// Faulty input costs a warning and the faulty part, never the rest. A source stops
// soon after its context has ended. These packages use engine/table for rows,
// topology for systems and record for activity files; they never use the detectors.
//
// Read source.go first, then tables/source.go, then activity/follow.go.
package ingest
