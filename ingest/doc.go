// Package ingest and the packages below it turn the measurements of a site into rows, one row for
// each step of 15 s or another fixed length.
//
// The input is files, tables, the output of tools, stores, and samples that are pushed or scraped.
// The output is a [Source]: a system and its rows in time order. The system was found in the input,
// or described in a topology file. Packages that read a Source do not depend on the kind of the
// source.
//
// Each kind of source is a package:
//
//   - ingest/activity reads activity files.
//   - ingest/tables reads CSV and Parquet tables and the tables that tools print.
//   - ingest/store queries Prometheus and other stores.
//   - ingest/intake receives pushed and scraped samples.
//
// This package reads the histograms that tools print ([HistogramSource]). It also limits any source
// to a period and to some servers ([Selection]).
//
// If a part of the input is faulty, a source warns of this part, leaves it out, and reads the rest.
// A source stops soon after its context has ended. These packages use engine/table for rows,
// topology for systems and record for activity files. They never call the detectors.
//
// Read source.go first, then tables/source.go, then activity/follow.go.
package ingest
