// Package witness keeps what drives and kernels say of themselves: media errors,
// resets of links, reallocated sectors, temperatures, requests that were rejected.
//
// Witnesses are never needed for a verdict and never make one: drives that limp are
// often silent, and many complain without limping (T16 §4.3.1). What they say near
// the onset of an incident supports or weakens an explanation of it, and is shown
// beside the evidence.
//
// Each kind of output has a parser in a package of its own below this one. Package
// witness joins what they read, and finds what was said of a component in a time.
package witness
