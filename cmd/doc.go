// Package cmd is the room of the programs. It turns flags into options, and contains no logic.
//
//   - limpet is the whole program, one file for each subcommand. Begin with main.go, which
//     lists the subcommands, and source.go, which opens the files and stores that a user names.
//   - limpet-record is the recorder alone, for servers. It contains no code of the analysis.
//   - limpet-testbed records experiments on a real file system. No package installs it.
//   - manual makes man pages and help topics from the declarations of the subcommands.
//
// Command-line arguments come in. Options go out to the other rooms, and reports, errors
// and an exit status go to the user. The room may import every other room.
package cmd
