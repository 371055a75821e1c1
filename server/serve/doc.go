// Package serve is limpet as a service: a watch with all that stands around it. Senders
// and endpoints come in by intake, people are told by the outbox, and everybody else asks
// by HTTP.
//
// It holds things together and decides nothing: what is watched and who is told stands in
// the configuration, what limps is found by package diagnose, and who may ask is decided by
// package access. A reload changes what can be changed while everything goes on, and says
// what cannot.
package serve
