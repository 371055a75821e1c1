// Package yamlfile reads YAML files that people write by hand: topologies, descriptions of
// tables, settings of a server. One run reports all mistakes, each with its line and a hint.
// Unknown and repeated keys are mistakes. Read decoder.go first.
package yamlfile
