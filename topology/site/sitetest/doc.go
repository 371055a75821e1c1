// Package sitetest holds parsers of a site's tools against fixtures, and fuzzes
// them.
package sitetest
