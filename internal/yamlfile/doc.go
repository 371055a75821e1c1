// Package yamlfile reads the YAML files that people write by hand: topologies,
// descriptions of tables. Every mistake is named with its line and what to do,
// all of them in one run; keys that are not known or come twice are refused.
//
// It knows nothing of storage.
package yamlfile
