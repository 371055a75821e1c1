// Package command defines the commands of an operator. A command mutes, unmutes,
// resolves, comments or labels components or an incident (L13 §5.1).
//
// The input is a feedback file. The output is values of type [Command]. This package only parses
// commands: engine.Session and engine.Engine execute them. Read command.go first, then parse.go for
// the format of feedback files.
package command
