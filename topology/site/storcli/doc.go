// Package storcli reads which drives sit in which slot of the enclosures of a
// MegaRAID controller: storcli and perccli, as JSON and as text, with and
// without details of each drive.
package storcli
