// Package trace reads block traces: which bytes of a device were read or
// written, and when. It also makes one, of reads as Hadoop's are.
//
// Traces come from other systems and are long. So they are read record by
// record, a line that cannot be read is counted with its place and does not
// stop the rest, and times count from the first record.
package trace
