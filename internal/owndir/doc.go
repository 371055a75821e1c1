// Package owndir opens directories that a program has for itself, and believes
// nothing in one that others had a hand in.
//
// Who may write where a program keeps its state may put links there in the place
// of files, and have the program write over any file that its user may write. To
// look at every file as it is opened leaves a moment between the look and the
// opening. So the directory is looked at as a whole, once, before anything in it
// is opened: if nobody else may write anywhere in it, nobody can change that.
package owndir
