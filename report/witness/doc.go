// Package witness reads statements of drives and kernels about drives: media errors, link resets,
// reallocated sectors, temperatures and rejected requests.
//
// In come the outputs of smartctl, dmesg and journalctl and the files of a syslog. Out comes
// a [Record] that finds the statements about a component in a span of time.
//
// An incident needs no statement, and a statement alone is no incident: limping drives often report
// nothing, and many drives report errors without limping (T16 §4.3.1). A statement near the onset
// of an incident supports or weakens an explanation, and is shown beside the evidence.
//
// Read first: witness.go has the record, smart.go reads smartctl, kernlog.go kernel logs.
package witness
