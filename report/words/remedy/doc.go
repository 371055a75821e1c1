// Package remedy puts advice into words: where a part is, whether to wait for it, how
// work is kept from it, and how it is taken out as far as redundancy bears that.
//
// It decides nothing: package advice has decided which steps there are. A command is
// text for an operator to read, and nobody runs it.
package remedy
