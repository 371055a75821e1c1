// Package torture compares an array with an oracle over the network. Meanwhile members are lost,
// hang, rot, go stale and are cut, the power is lost, and the process is killed. It has only tests:
// some seconds of them in every run of the tests, any length by `make torture-array`.
//
// The oracle knows the right value of every byte: the value of the last acknowledged write. After a
// write that was not acknowledged, each stripe may have its old or its new value.
package torture
