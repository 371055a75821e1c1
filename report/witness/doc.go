// Package witness reads what drives and kernels recorded about drives: media errors, link
// resets, reallocated sectors, temperatures and rejected requests.
//
// In come the outputs of smartctl, dmesg and journalctl and the files of a syslog. Out comes
// a [Record] that finds the statements about a component in a span of time.
//
// No incident needs a statement, and none is made from one: drives that limp are often
// silent, and many log errors without limping (T16 §4.3.1). A statement near the onset of
// an incident supports or weakens an explanation, and is shown beside the evidence.
//
// Read first: witness.go has the record, smart.go reads smartctl, kernlog.go kernel logs.
package witness
