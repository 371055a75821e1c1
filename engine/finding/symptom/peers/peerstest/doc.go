// Package peerstest makes up servers for tests of what they show: machines that
// do the same every second, and rows of what they do.
package peerstest
