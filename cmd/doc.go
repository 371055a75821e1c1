// Package cmd is the room of the programs: flags become options here, and nothing is
// decided.
//
//   - limpet is the whole program, one file for each subcommand. Begin with main.go, which
//     lists the subcommands, and source.go, which opens what a user names.
//   - limpet-record is the recorder alone, for servers. It links nothing of the analysis.
//   - limpet-testbed records experiments on a real file system. No package installs it.
//   - manual makes man pages and help topics from what the subcommands declare.
//
// Command-line arguments come in. Options go out to the other rooms, and reports, errors
// and an exit status go to the user. The room may import every other room.
package cmd
