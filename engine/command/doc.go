// Package command reads what operators say of components: what was repaired,
// what is known already, and what they have seen (L13 §5.1).
//
// It names components and judges nothing. Packages rank and incident act on it.
package command
