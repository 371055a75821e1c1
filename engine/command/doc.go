// Package command defines the commands of an operator. A command applies to some components or to
// one incident. Its kind ([Verb]) is resolve, mute, unmute, accept, comment or label (L13 §5.1).
//
// The input is a feedback file, in which an operator writes commands. The output is values of type
// [Command]. This package only parses commands: engine.Session and engine.Engine execute them. Read
// command.go first, then parse.go for the format of feedback files.
package command
