// Package slow finds components that answer more slowly than their peers, and
// what several of them have in common.
//
// Detection says in which windows a component differs from its peers. This
// detector asks whether that is the component's own doing: it excuses what load
// or a server's own work explains, counts the windows that are left, and
// measures how many times slower the component is in them. What is slow at once
// and hangs on one place is that place's (package localise); what is known to be
// slow on its own stays so, whatever befalls its array.
package slow
