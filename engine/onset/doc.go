// Package onset finds when a component began to differ from its peers.
//
// A detector reports an anomalous component some minutes after the onset. A [History] keeps the
// rows of a time that is twice as long as this delay. It looks for the change point: the first step
// in which the component was farther from its peers than before. It compares the logarithms of
// values, or the shares of lost segments. If no change point is certain, the result is an interval
// that contains the onset.
//
// The package takes the same rows as the detectors engine/detect/symptom and
// engine/detect/checklist, and returns onsets. It reads no clock and opens no file. Read
// history.go first, then change.go (the change point) and metric_record.go (one metric of
// a server over all windows).
package onset
