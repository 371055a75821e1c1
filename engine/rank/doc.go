// Package rank orders what stays odd. In a large system some component is
// always odd for a moment. What matters is what persists (L13 §4.3).
//
// It stands behind detect in the stream: windows go in, ordered lists come out.
// Operators say which components were repaired or are known (package feedback).
package rank
