// Package serve is limpet as a service. It joins a watch of a site with everything around
// it: the intake of samples, the delivery of alerts, the API and the console.
//
// In comes a configuration (package config). Out comes a [Service] that runs until its
// context ends. The package decides nothing about storage: package engine finds incidents,
// and package access decides who may ask. A reload changes the settings that can change
// while the service runs, and lists those that need a restart.
//
// Read first: service.go opens and runs a service, site.go answers the API from a watch,
// reload.go applies a new configuration.
package serve
