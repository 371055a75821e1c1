// Package command defines the commands of an operator to a diagnosis: to mute, unmute,
// resolve, comment or label components or an incident (L13 §5.1).
//
// A feedback file or the fields of an HTTP request come in. Values of type [Command] go
// out. This package only reads commands: engine.Session and engine.Engine apply them.
// Read command.go first, then parse.go for the format of feedback files.
package command
