// Package checklist names the resource of a server that is at fault, as F10 does
// (§10.2): the metrics in which the server differs from its peers are asked for
// in a fixed order, and the first kind of fault that fits is taken.
//
// It keeps to the letter of the paper. A server is suspect for what any of its
// components was suspect in at any time of a run. A run of the paper lasts
// minutes; where this one goes on for ever, what has not shown for a day is
// forgotten.
//
// In the stream it stands behind detect, whose windows it hears. It is pure.
package checklist
