// Package config reads the configuration of limpet serve, a YAML file. Every setting has a
// default, so an empty file works.
//
// In comes the text of the file. Out comes a [Config], which is plain data, or all mistakes
// of the file at once, each with its line and its cure. The package opens no other file and
// no connection; package serve does. A configuration holds no secret, only the names of
// files with secrets.
//
//	listen: 127.0.0.1:9714
//	state: /var/lib/limpet
//	directories: [/var/log/limpet]
//	topology: site.yaml
//	alerts:
//	  alertmanagers:
//	    - url: http://127.0.0.1:9093
//
// Read first: config.go has the settings, parse.go reads them, shown.go prints them for the
// API.
package config
