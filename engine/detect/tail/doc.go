// Package tail finds components of whose requests a few take far longer than
// those of their peers, while most are as quick.
//
// A mean hides them: one request in two hundred that takes 50 ms adds a quarter
// of a millisecond to it (T16: tails). So this detector compares distributions
// of true requests, and of each the time in the device alone: what waits in the
// queue for its own load is none of the device's doing. In every tick it counts
// the requests of a component that are slower than nearly all of its peers', and
// holds their number against how many its peers' share would make. The logarithm
// of that ratio goes to package evidence, which knows how rarely healthy peers
// climb as high.
//
// What is slower as a whole is another detector's, and so is what has more or
// larger requests than its peers: such a component is not judged here.
package tail
