// Command limpet-testbed records experiments on a real storage system on this machine. It is a tool
// of the project; no package installs it.
package main
