// Package wire moves messages over TCP: flows share the ports of machines and
// of the switch between them, overflow its buffers, halve their windows and
// time out. It is a model in ticks of a few milliseconds, not of packets.
//
// What a message means is the caller's.
package wire
