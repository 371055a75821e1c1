package screen

import (
	"errors"
	"fmt"
	"os"
	"unicode/utf8"

	"golang.org/x/term"
)

// Escape sequences that all terminals since the VT100 and xterm understand.
const (
	// enter switches to the alternate screen, hides the cursor, turns off wrapping at the right
	// edge, and turns on the mouse. Mode 1000 reports mouse buttons, and mode 1006 reports
	// coordinates as decimal numbers.
	enter = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?1000h\x1b[?1006h\x1b[2J"
	// leave reverses the settings of enter, in reverse order.
	leave = "\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?7h\x1b[?25h\x1b[?1049l"
)

// A terminal draws canvases on a terminal device.
type terminal struct {
	in, out *os.File
	depth   depth
	ascii   bool
	saved   *term.State // state before enter; nil if the terminal has its old state
	shown   *canvas     // the canvas that the terminal shows; nil if unknown
	bytes   []byte
}

// Fits reports whether both files belong to a terminal that can show a full screen.
func Fits(in, out *os.File, env func(string) string) bool {
	_, err := openTerminal(in, out, env)
	return err == nil
}

// openTerminal returns the terminal of two files. It returns an error if one of the files is not a
// terminal, or if the terminal cannot move its cursor.
func openTerminal(in, out *os.File, env func(string) string) (*terminal, error) {
	if !term.IsTerminal(int(in.Fd())) || !term.IsTerminal(int(out.Fd())) {
		return nil, errors.New("the input or the output is not a terminal: use --once, --plain or -o json")
	}
	if name := env("TERM"); name == "" || name == "dumb" {
		return nil, fmt.Errorf("the terminal %q cannot show a full screen: set TERM, or use --once, --plain or -o json", name)
	}
	return &terminal{in: in, out: out, depth: depthOf(env), ascii: !isUnicode(env)}, nil
}

// enter prepares the terminal: it switches to the alternate screen, and reads single keys without
// echo.
func (t *terminal) enter() error {
	saved, err := term.MakeRaw(int(t.in.Fd()))
	if err != nil {
		return fmt.Errorf("the terminal cannot be switched to full screen: %w: use --once", err)
	}
	t.saved, t.shown = saved, nil
	_, err = t.out.WriteString(enter)
	return err
}

// leave restores the old state of the terminal. A second call does nothing.
func (t *terminal) leave() {
	if t.saved == nil {
		return
	}
	_, _ = t.out.WriteString(leave) // writing fails if the terminal has hung up
	_ = term.Restore(int(t.in.Fd()), t.saved)
	t.saved = nil
}

// size returns the number of columns and lines of the terminal.
func (t *terminal) size() (width, height int) {
	const usualWidth, usualHeight, most = 80, 24, 1000
	width, height, err := term.GetSize(int(t.out.Fd()))
	if err != nil || width <= 0 || height <= 0 {
		return usualWidth, usualHeight
	}
	return min(width, most), min(height, most)
}

// show writes the cells that differ from the shown canvas, in one system call.
func (t *terminal) show(c *canvas) error {
	b := t.bytes[:0]
	before := t.shown
	if before == nil || before.width != c.width || before.height != c.height {
		before = nil
		b = append(b, "\x1b[0m\x1b[2J"...)
	}
	now := style{}
	b = append(b, now.sequence(t.depth)...)
	for y := range c.height {
		next := -1 // column of the cursor
		for x := range c.width {
			i := y*c.width + x
			if before != nil && before.cells[i] == c.cells[i] || before == nil && c.cells[i] == (cell{r: ' '}) {
				continue
			}
			if next != x {
				b = fmt.Appendf(b, "\x1b[%d;%dH", y+1, x+1)
			}
			if c.cells[i].style != now {
				now = c.cells[i].style
				b = append(b, now.sequence(t.depth)...)
			}
			b = utf8.AppendRune(b, t.rune(c.cells[i].r))
			next = x + 1
		}
	}
	b = append(b, "\x1b[0m"...)
	t.bytes = b
	_, err := t.out.Write(b)
	if t.shown == nil || t.shown.width != c.width || t.shown.height != c.height {
		t.shown = newCanvas(c.width, c.height)
	}
	copy(t.shown.cells, c.cells)
	return err
}

// rune replaces characters that a terminal without UTF-8 cannot show.
func (t *terminal) rune(r rune) rune {
	if !t.ascii || r < utf8.RuneSelf {
		return r
	}
	switch r {
	case 'µ':
		return 'u'
	case '…':
		return '~'
	}
	return '?'
}
