// Package xor reads the chunks that Prometheus keeps samples in: times as
// differences of differences, values as differences of bits.
//
//	00 78                       120 samples
//	first time, as a varint; first value, 64 bits
//	difference to the second time, as a varint; value
//	then for each sample:
//	  0                         as far from the one before as that from its own
//	  10 14 bits, 110 17 bits, 1110 20 bits, 1111 64 bits: that much farther
//	  0                         the value of the one before
//	  10 bits                   bits that differ, at the place of the last ones
//	  11 5 bits 6 bits bits     how many zeros lead, how many bits differ, and they
//
// It knows nothing of where chunks come from.
package xor
