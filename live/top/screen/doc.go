// Package screen shows the frames of package live/top on a terminal, full screen, and takes keys
// and the mouse.
//
// It writes to the terminal directly, in the escape sequences that xterm, the Linux console, tmux,
// screen and every later terminal have in common. A library is not needed for that: the package
// needs no terminfo, no wide characters and no widgets. Each frame is compared with the one before,
// and only the cells that changed are written, in one system call.
//
// The terminal gets its old state back however the program ends: key, signal, hang-up, error or
// panic. SIGTSTP gives the terminal back until SIGCONT. Read run.go first, then view.go (what is
// shown) and terminal.go (how it gets to the terminal).
package screen
