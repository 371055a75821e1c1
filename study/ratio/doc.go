// Package ratio compares the values of a few peers with their median, again
// and again: what the study of a fleet does for every group and hour, a
// hundred million times. Medians are exact; what is counted by size is counted
// in bins whose width is known.
package ratio
