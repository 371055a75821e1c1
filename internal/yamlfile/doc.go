// Package yamlfile reads YAML files that people write by hand: topologies, descriptions of
// tables, settings of a server. Every mistake is reported with its line and its cure, all
// of them in one run; keys that are unknown or come twice are refused. Read decoder.go
// first.
package yamlfile
