// Package apitest has a made-up site for tests of what asks one: a small storage
// system with an incident of every section, which takes feedback and keeps all in
// memory.
package apitest
