// Package page writes a self-contained HTML page: sections of prose, tables and plots, with
// their data and scripts inside.
//
// In come plain numbers and texts; the package does not depend on storage. Out comes one file that
// opens without a network. Its Content-Security-Policy allows only the scripts and styles in the
// file. The same content gives the same bytes. Names come from the systems under study and are
// escaped as hostile input. A missing value is never drawn as zero.
//
// Reports of diagnose, study and the lab all use it.
//
// Read first: page.go has the page and its sections, chart.go the charts, assets.go the
// scripts and styles.
package page
