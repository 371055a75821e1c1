// Package presets holds descriptions of the series of exporters that people have. They
// are data: what a site would write, and can copy and change.
package presets
