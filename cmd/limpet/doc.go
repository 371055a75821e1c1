// Command limpet finds the limping component of a storage system, says why,
// and shows the evidence.
//
// Each subcommand has a file of its own that binds flags to the options of a
// package and prints what comes back; there is no logic here.
package main
