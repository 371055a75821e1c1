// Package delay says by how much the drives of an array are slowed down, so
// that what hides slow drives can be tried where all drives are well.
//
// A distribution prints as the text that parses it, and draws are functions of
// a seed, the member, which of its reads it is and the time: nothing else. So
// two policies meet the same slow drives, and a run can be had again. Reading
// files is left to the caller.
//
// Distributions are
//
//	none                             no delay
//	rare:seed=1                      an independent draw for each read of each member, from T16's disks
//	quantiles:2=0.01,9=0.001,seed=1  the same from quantiles of one's own, see [ReadQuantiles]
//	periodic:member=0,slow=5         one member, some minutes of every few hours (T16 §5)
//
// and periodic:compress=60 makes time run 60 times faster, for runs on real
// drives that cannot wait for hours.
package delay
