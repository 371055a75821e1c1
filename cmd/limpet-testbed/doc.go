// Command limpet-testbed records experiments on a real parallel file system on
// this machine. It is a tool of the project, and no part of its packages.
package main
