// Package checklist finds the faulty resource of a server by the method of the paper F10 (§10.2).
// It checks kinds of fault in a fixed order, and takes the first kind that fits the metrics in
// which the server differs from its peers (function firstKind in kinds.go).
//
// The input is windows of package persistence. The output is findings. In the paper, a server is
// suspect in a metric if one of its components was suspect in this metric at any time of an
// experiment. An experiment lasts minutes. A diagnosis of limpet never ends. So a server counts as
// suspect in a metric only for Options.ForgetSeconds after the last window in which it was suspect
// in this metric. Package persistence finds the anomalies, and its options set the rate of false
// alarms.
//
// Read kinds.go first, then detector.go and findings.go.
package checklist
