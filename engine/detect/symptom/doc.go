// Package symptom finds the resource of a server that is at fault by what its
// disk, its interface and its connections show together that none of them shows
// alone.
//
// F10 compares one metric at a time and therefore takes a server that is asked
// for more than its peers for one that is at fault. Here every metric has to
// agree with the others. Load on a disk is a symptom only where the network did
// not bring it. Traffic is a symptom only where no disk took or gave it, and in
// frames too full for requests. Waiting is a symptom only where the disk's work
// costs it more than it would cost its peers. Lost segments are a symptom only
// where they are lost one by one. What is left after that is no workload,
// however uneven, and needs no fault-free day to be told from one. A server that
// is only asked for more is told as such, and is harmless.
//
// The packages below judge one resource each, beside its peers. This one weighs
// what they note.
//
// A server shows symptoms for a spell, from the first window in which something
// is odd until it has been calm for a while. The strongest symptom of a spell
// names the fault.
//
// In the stream the package stands beside detect: it takes the same rows and
// compares the same peer groups with the same filter. It is pure.
package symptom
