// Package onset finds when a component began to differ from its peers.
//
// A detector notices an odd component some minutes late. A [History] keeps the rows of
// these minutes and of as many minutes before them. It looks for the change point: the
// first step in which the component was farther from its peers. It compares the
// logarithm of the values, or the share of segments that are lost. If no step stands
// out, only bounds are known.
//
// The same rows come in that the detectors engine/detect/symptom and
// engine/detect/checklist judge. Onsets go out. The package is pure. Read history.go
// first, then change.go (the change point) and metric_record.go (one metric of a server
// over all windows).
package onset
