// Package torture compares an array with an oracle over the network, while its members are
// lost, hang, rot, go stale and are cut, its power is lost and its process is killed. It
// has only tests: some seconds of them in every run of the tests, any length by
// `make torture-array`.
//
// The oracle has the right value of every byte: the write that was acknowledged last, and
// for a write that was not acknowledged each stripe as before or as after it.
package torture
