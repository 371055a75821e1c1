// Package config reads the configuration of a server that watches a site: a YAML file
// in which everything has a good default, so that an empty one works.
//
// Every mistake is named with its line and what to do, all of them in one run. The
// configuration is plain data; who opens files and listens is package serve. Secrets
// never stand in it, only the names of files that hold them.
//
//	listen: 127.0.0.1:9714
//	state: /var/lib/limpet
//	directories: [/var/log/limpet]
//	topology: site.yaml
//	alerts:
//	  alertmanagers:
//	    - url: http://127.0.0.1:9093
package config
