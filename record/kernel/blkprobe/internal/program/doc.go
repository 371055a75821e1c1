// Package program has the BPF programs that count requests to block devices:
// their instructions, the maps that they share, and the ways in which a kernel
// lets them hear of a request.
package program
