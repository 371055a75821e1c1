// Package localise finds the fewest components that explain what is odd.
//
// A failing controller is odd on each of its LUNs, a drawer on the LUNs that
// have a drive in it, a bad batch on drives of many servers. Whoever reads
// fifty lines wants the one that stands behind them (L13 §7). A component is
// blamed where far more of what hangs on it is odd than chance would have, and
// than elsewhere; no fixed majority decides, since a drawer may show on 11 of
// 72 LUNs.
//
// What several have in common across servers is an attribute: a model, a slot, a
// kernel. There are many of these, so that one of them coincides with what is odd
// in any large system. An attribute is named only where chance does as much once in
// so many years, with all attributes, their values and all looks counted.
//
// The package is arithmetic over sets: it knows neither storage nor time.
package localise
