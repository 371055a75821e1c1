// Package screen shows the frames of package live/top on the full screen of a terminal, and reads
// keys and the mouse.
//
// It writes escape sequences directly to the terminal. It uses only sequences that xterm, the Linux
// console, tmux, screen and every later terminal understand. It needs no library, because it uses
// no terminfo, no wide characters and no widgets. Each frame is compared with the previous frame,
// and only the changed cells are written, in one system call.
//
// When the program ends, it restores the old state of the terminal. It does so after a key, a
// signal, a hang-up, an error and a panic. While the program is stopped (from SIGTSTP to SIGCONT),
// the terminal also has its old state. Read run.go first, then view.go (the content of the screen)
// and terminal.go (the output to the terminal).
package screen
