// Package slow finds components that answer more slowly than their peers, and
// what several of them have in common.
//
// Every step it compares the latency of each component with the median of its
// peers, takes out what a little more load explains, and hands the rest to
// package evidence, which says how sure it is that this is no chance. What is
// told and what is not are two questions: a suspect is sure enough to be named; an
// incident is beyond doubt, more than the smallest effect that matters, and has
// cost enough: how many times slower, times how long. What is slow at once and
// hangs on one place is that place's (package localise); what is known to be slow
// on its own stays so, whatever befalls its array.
package slow
