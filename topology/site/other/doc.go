// Package other knows outputs that people keep beside those that tell of a
// site, and says why nothing is taken from them.
package other
