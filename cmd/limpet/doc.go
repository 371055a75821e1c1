// Command limpet finds the limping component of a storage system, says why,
// and shows the evidence.
//
// Each subcommand has a file of its own. It binds flags to the options of a package and prints the
// result. This package contains no logic.
package main
