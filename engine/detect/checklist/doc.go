// Package checklist finds the faulty resource of a server by the method of the paper F10 (§10.2).
// It goes through the metrics in which the server differs from its peers, in a fixed order, and
// takes the first kind of fault that fits (function firstKind in kinds.go).
//
// The input is windows of package persistence. The output is findings. In the paper, a server is
// suspect in a metric if any of its components was suspect in this metric at any time of an
// experiment, and an experiment lasts minutes. A diagnosis of limpet never ends. So a server counts
// as suspect in a metric only for Options.ForgetSeconds after the last window in which it was
// suspect in this metric. Package persistence finds the anomalies, and its options set the rate of
// false alarms.
//
// Read kinds.go first, then detector.go and findings.go.
package checklist
