package screen

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/limpet-storage/limpet/live/top"
)

// A Feed returns the data that the screen shows.
type Feed interface {
	// Frame returns the frame at a Unix time, or the newest frame if the time is 0.
	Frame(end int64) *top.Frame
	// Evidence returns the Evidence of a component for a Unix time. If the time is 0, it returns
	// the Evidence for the last step. The parameter `steps` is the largest number of steps of the
	// chart.
	Evidence(name string, end int64, steps int) *top.Evidence
}

// Options are the settings of a screen.
type Options struct {
	In, Out *os.File
	Env     func(string) string // environment of the terminal: TERM, COLORTERM, NO_COLOR, LANG
	ASCII   bool                // true if bars and plots have ASCII characters only
	// News gets a value when the feed has a new frame.
	News <-chan struct{}
	// Work reads the source until its context ends. If Work returns an error, the screen ends with
	// the same error. If Work panics, the terminal gets its old state back before the program ends.
	Work func(context.Context) error
}

// leastPause is the shortest time between two frames.
const leastPause = 100 * time.Millisecond

// keyPause is the time after which a single ESC counts as the key Esc. Before that, ESC may be the
// first character of another key's sequence.
const keyPause = 50 * time.Millisecond

// A signalKind is the meaning of a signal for the screen.
type signalKind uint8

const (
	noSignal  signalKind = iota
	resized              // the size of the terminal has changed
	ends                 // the terminal has hung up
	stops                // the process must stop until SIGCONT: ctrl-Z, or another stop signal
	continues            // the process continues after a stop
)

// Run shows the feed until the user quits, a signal comes, the context ends, or the work fails. Then it
// restores the old state of the terminal.
func Run(ctx context.Context, feed Feed, o Options) (err error) {
	t, err := openTerminal(o.In, o.Out, o.Env)
	if err != nil {
		return err
	}
	t.ascii = t.ascii || o.ASCII
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	signals, unwatch := watchSignals()
	defer unwatch()
	if err := t.enter(); err != nil {
		t.leave()
		return err
	}
	defer t.leave() // runs even if this goroutine panics
	worked := make(chan outcome, 1)
	go work(ctx, o.Work, worked)
	s := session{terminal: t, view: newView(feed, t.ascii), news: o.News, signals: signals, worked: worked, keys: readKeys(ctx, o.In)}
	err = s.loop(ctx)
	stop()
	if s.panicked != nil {
		t.leave()
		panic(s.panicked)
	}
	return err
}

// An outcome has the error or the panic with which Work ended.
type outcome struct {
	err      error
	panicked any
}

// work calls Work and recovers from a panic.
func work(ctx context.Context, do func(context.Context) error, done chan<- outcome) {
	defer func() {
		if p := recover(); p != nil {
			done <- outcome{panicked: fmt.Sprintf("%v\n%s", p, debug.Stack())}
		}
	}()
	done <- outcome{err: do(ctx)}
}

// readKeys reads the bytes of the terminal. The channel is closed when the terminal has hung up.
func readKeys(ctx context.Context, in *os.File) <-chan []byte {
	c := make(chan []byte)
	go func() {
		defer close(c)
		for {
			b := make([]byte, 256)
			n, err := in.Read(b)
			if n > 0 {
				select {
				case c <- b[:n]:
				case <-ctx.Done():
					return
				}
			}
			if err != nil || n == 0 {
				return
			}
		}
	}()
	return c
}

// A session is one run of a screen.
type session struct {
	terminal *terminal
	view     *view
	news     <-chan struct{}
	signals  <-chan os.Signal
	worked   <-chan outcome
	keys     <-chan []byte
	pending  []byte // bytes that are the beginning of the sequence of a key
	panicked any
	drawn    time.Time
	canvas   *canvas
}

// loop waits for new frames, keys and signals, and draws the screen.
func (s *session) loop(ctx context.Context) error {
	draw := time.NewTimer(0)
	defer draw.Stop()
	final := time.NewTimer(time.Hour)
	final.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case o := <-s.worked:
			s.panicked = o.panicked
			if o.err != nil || o.panicked != nil {
				return o.err
			}
			s.worked = nil // all files are read: the screen keeps showing the last frame
		case <-s.news:
			if !s.view.refresh() {
				continue
			}
			draw.Reset(max(leastPause-time.Since(s.drawn), 0))
		case b, ok := <-s.keys:
			if !ok {
				return nil
			}
			s.pending = append(s.pending, b...)
			if s.press(false) {
				return nil
			}
			if len(s.pending) > 0 {
				final.Reset(keyPause)
			}
			draw.Reset(0)
		case <-final.C:
			if s.press(true) {
				return nil
			}
			draw.Reset(0)
		case sig := <-s.signals:
			if meaning(sig) == ends {
				return nil
			}
			if err := s.signal(meaning(sig)); err != nil {
				return err
			}
			draw.Reset(0)
		case <-draw.C:
			if err := s.draw(); err != nil {
				return nil // the terminal has hung up
			}
		}
	}
}

// press handles the keys that were read, and reports whether the user quits.
func (s *session) press(final bool) bool {
	for {
		k, n := takeKey(s.pending, final)
		if n == 0 {
			return false
		}
		s.pending = s.pending[n:]
		switch k.name {
		case "ctrl-z":
			if canStop && s.signal(stops) != nil {
				return true
			}
		case "ctrl-l":
			s.terminal.shown = nil
		default:
			if s.view.press(k) {
				return true
			}
		}
	}
}

// signal handles the signals for resize, stop and continue.
func (s *session) signal(k signalKind) error {
	switch k {
	case stops:
		s.terminal.leave()
		stopSelf() // stopSelf may return before the process stops; so the screen is not drawn now, but when SIGCONT comes
	case continues:
		if s.terminal.saved == nil {
			return s.terminal.enter()
		}
		s.terminal.shown = nil
	case resized:
		s.terminal.shown = nil
	}
	return nil
}

func (s *session) draw() error {
	if s.terminal.saved == nil {
		return nil // between the signals stop and continue, nothing is drawn
	}
	width, height := s.terminal.size()
	if s.canvas == nil || s.canvas.width != width || s.canvas.height != height {
		s.canvas = newCanvas(width, height)
	}
	s.canvas.clear()
	s.view.draw(s.canvas)
	s.drawn = time.Now() //nolint:forbidigo // the real time only limits how often the screen is drawn
	return s.terminal.show(s.canvas)
}
