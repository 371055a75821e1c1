//go:build unix

package screen

import (
	"os"
	"os/signal"
	"syscall"
)

// watchSignals returns a channel with the signals of a terminal: resize, hang-up, stop and continue.
func watchSignals() (<-chan os.Signal, func()) {
	c := make(chan os.Signal, 8)
	signal.Notify(c, syscall.SIGWINCH, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGCONT)
	// The second channel catches SIGHUP until the process ends. When a terminal hangs up, a read
	// may fail before SIGHUP arrives. The program is then already ending. SIGHUP must not kill
	// the program before it has restored the terminal.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	return c, func() { signal.Stop(c) }
}

// meaning returns the signalKind of a signal.
func meaning(s os.Signal) signalKind {
	switch s {
	case syscall.SIGWINCH:
		return resized
	case syscall.SIGHUP, syscall.SIGQUIT:
		return ends
	case syscall.SIGTSTP:
		return stops
	case syscall.SIGCONT:
		return continues
	}
	return noSignal
}

// stopSelf stops this process until it gets SIGCONT.
func stopSelf() { _ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) }

// canStop reports whether a process of this operating system can be stopped and continued.
const canStop = true
