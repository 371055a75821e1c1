//go:build linux

package screen

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// A pty is a real terminal: a child process has one end, and the test the other. The test reads the
// escape sequences as a terminal does, and keeps the screen that they draw.
type pty struct {
	t      *testing.T
	master *os.File
	slave  *os.File
	child  *exec.Cmd
	ended  chan error

	mu            sync.Mutex
	width, height int
	cells         [][]rune
	x, y          int
	text          bytes.Buffer // all bytes so far
	alternate     bool         // the second screen is shown
	hidden        bool         // the cursor is hidden
	mouse         bool
}

// openPTY opens a terminal of a size.
func openPTY(t *testing.T, width, height int) *pty {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal can be opened: %v", err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &pty{t: t, master: master, slave: slave, ended: make(chan error, 1)}
	p.resize(width, height)
	t.Cleanup(func() {
		if p.child != nil && p.child.ProcessState == nil {
			_ = p.child.Process.Kill()
		}
		slave.Close()
		master.Close()
	})
	go p.read()
	return p
}

// childOf tells the child process which part it has to play.
const childOf = "LIMPET_TEST_SCREEN"

// start starts this test program again, with the terminal as its own.
func (p *pty) start(part string, env ...string) {
	p.t.Helper()
	p.child = exec.Command(os.Args[0], "-test.run=^TestChild$")
	p.child.Env = append([]string{childOf + "=" + part, "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}, env...)
	p.child.Stdin, p.child.Stdout, p.child.Stderr = p.slave, p.slave, p.slave
	p.child.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := p.child.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { p.ended <- p.child.Wait() }()
}

// settings returns the state of the terminal.
func (p *pty) settings() unix.Termios {
	p.t.Helper()
	s, err := unix.IoctlGetTermios(int(p.slave.Fd()), unix.TCGETS)
	if err != nil {
		p.t.Fatal(err)
	}
	return *s
}

func (p *pty) resize(width, height int) {
	p.mu.Lock()
	p.width, p.height = width, height
	p.wipe()
	p.mu.Unlock()
	size := unix.Winsize{Row: uint16(height), Col: uint16(width)}
	if err := unix.IoctlSetWinsize(int(p.master.Fd()), unix.TIOCSWINSZ, &size); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pty) wipe() {
	p.cells = make([][]rune, p.height)
	for y := range p.cells {
		p.cells[y] = []rune(strings.Repeat(" ", p.width))
	}
}

func (p *pty) send(keys string) {
	p.t.Helper()
	if _, err := p.master.WriteString(keys); err != nil {
		p.t.Fatal(err)
	}
}

// read draws what the child writes.
func (p *pty) read() {
	var rest []byte
	b := make([]byte, 1<<16)
	for {
		n, err := p.master.Read(b)
		p.mu.Lock()
		p.text.Write(b[:n])
		rest = p.interpret(append(rest, b[:n]...))
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// interpret takes the sequences that package screen writes, and returns the incomplete rest.
func (p *pty) interpret(b []byte) []byte {
	for len(b) > 0 {
		switch {
		case b[0] == '\r':
			p.x = 0
			b = b[1:]
		case b[0] == '\n':
			p.y++
			b = b[1:]
		case b[0] == escape:
			end := bytes.IndexFunc(b[1:], func(r rune) bool { return r >= '@' && r <= '~' && r != '[' })
			if end < 0 {
				return b
			}
			p.sequence(string(b[1 : end+2]))
			b = b[end+2:]
		case !utf8.FullRune(b):
			return b
		default:
			r, n := utf8.DecodeRune(b)
			if p.y < p.height && p.x < p.width {
				p.cells[p.y][p.x] = r
			}
			p.x++
			b = b[n:]
		}
	}
	return nil
}

func (p *pty) sequence(text string) {
	var y, x int
	switch {
	case text == "[2J":
		p.wipe()
	case strings.HasSuffix(text, "m"):
	case strings.HasSuffix(text, "H"):
		if n, _ := fmt.Sscanf(text, "[%d;%dH", &y, &x); n == 2 {
			p.y, p.x = y-1, x-1
		}
	case text == "[?1049h", text == "[?1049l":
		p.alternate = text == "[?1049h"
	case text == "[?25l", text == "[?25h":
		p.hidden = text == "[?25l"
	case text == "[?1006h", text == "[?1006l":
		p.mouse = text == "[?1006h"
	case text == "[?1000h", text == "[?1000l", text == "[?7l", text == "[?7h":
	default:
		p.t.Errorf("sequence %q is none that every terminal has", text)
	}
}

// screen returns the text on the screen.
func (p *pty) screen() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var lines []string
	for _, line := range p.cells {
		lines = append(lines, strings.TrimRight(string(line), " "))
	}
	return strings.Join(lines, "\n")
}

// await waits until the screen fulfils a condition.
func (p *pty) await(what string, is func(screen string) bool) string {
	p.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if s := p.screen(); is(s) {
			return s
		}
	}
	p.t.Fatalf("the screen does not show %s:\n%s", what, p.screen())
	return ""
}

// has waits for a text on the screen.
func (p *pty) has(text string) string {
	p.t.Helper()
	return p.await(fmt.Sprintf("%q", text), func(s string) bool { return strings.Contains(s, text) })
}

// end waits until the child has ended.
func (p *pty) end() error {
	p.t.Helper()
	select {
	case err := <-p.ended:
		time.Sleep(50 * time.Millisecond) // the last bytes are on their way
		return err
	case <-time.After(30 * time.Second):
		p.t.Fatalf("the program does not end:\n%s", p.screen())
		return nil
	}
}
