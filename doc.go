// Package limpet has no code of its own: only the tests of the whole house stand here.
//
// The command is cmd/limpet. ARCHITECTURE.md draws the twelve rooms in which the code
// lives, in the order in which data flows, and walks one sample from the kernel to an
// alert. Other programs may import engine, topology, record/sysstat and
// ingest/activity; examples/embed shows how. All other packages may change at any time.
package limpet
