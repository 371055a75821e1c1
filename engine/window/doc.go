// Package window holds what every detector needs to know of a step and of a
// window: who was heard, who had something to do and how much, which path serves
// a LUN, what a group of peers usually takes. Each is found out once and shared.
//
// It stands behind table and detect and before the detectors: rows go in one by
// one, and when a window ends its facts are put together.
package window
