// Package torture holds an array against an oracle over the network, while its
// members are lost, hang, rot, go stale and are cut, its power is lost and its
// process is killed. It has tests alone: some seconds of them in every run of
// the tests, as long as one likes by `make torture`.
//
// The oracle knows what every byte has to be: what was acknowledged last, and
// of writes that were not, each stripe as before or as after.
package torture
