// Package sadf prints activity files as "sadf -d" of sysstat does, to the
// byte and several times faster. It is the check on package sysstat: what
// both print of a file must not differ. And it serves whoever wants the text
// of a file that the sysstat at hand does not read.
//
// Each version of sysstat prints in its own way. A file is printed as the
// version prints that wrote it, since that is what its owner knows.
package sadf
