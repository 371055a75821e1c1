//go:build linux

package screen

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/live/top"
	"github.com/limpet-storage/limpet/topology"
)

// slowDrive is the drive that is ten times slower than its peers.
const slowDrive = "fs2/sd5"

// TestChild is the program that other tests run at a terminal: a screen over four servers of twelve
// drives, whose seconds take 20 ms.
func TestChild(t *testing.T) {
	part := os.Getenv(childOf)
	if part == "" {
		t.Skip("a part of other tests")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // as main has it
	model, news := newModel(t, 4, 12), make(chan struct{}, 1)
	err := Run(ctx, model, Options{
		In: os.Stdin, Out: os.Stdout, Env: os.Getenv, News: news,
		Work: func(ctx context.Context) error { return feedRows(ctx, part, model, news) },
	})
	stop()
	if err != nil {
		fmt.Println("ended with", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// world makes rows for the model.
type world struct {
	*top.Model
	schema table.Schema
	slow   int
	random *rand.Rand
	now    int64
}

func newModel(t testing.TB, servers, drives int) *world {
	t.Helper()
	system, _, err := topology.Parse("site.yaml", fmt.Appendf(nil, "servers: fs[1-%d]\ndrives:\n  - devices: sd[1-%d]\n", servers, drives))
	if err != nil {
		t.Fatal(err)
	}
	o := top.DefaultOptions()
	o.Zone, o.Source = time.UTC, "test"
	w := &world{Model: top.New(o), random: rand.New(rand.NewPCG(1, 2)), now: 1_700_000_000, schema: table.Schema{
		StepSeconds: 1, Metrics: []metric.Metric{metric.TPS, metric.RdSec, metric.WrSec, metric.Await},
		Components: len(system.Components), Servers: len(system.Servers),
	}}
	w.slow, _ = system.Lookup(slowDrive)
	if err := w.Change(system, w.schema); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) next() {
	w.now++
	row := table.NewRow(w.schema)
	row.End = w.now
	for i := range row.Heard {
		row.Heard[i] = true
	}
	for i := range w.schema.Components {
		load, times := 100+10*w.random.NormFloat64(), 1.0
		if i == w.slow {
			times = 10
		}
		row.Values[0][i], row.Values[1][i], row.Values[2][i] = load, 8*load, 0
		row.Values[3][i] = 5 * times * math.Exp(0.1*w.random.NormFloat64())
	}
	w.Push(row)
}

func feedRows(ctx context.Context, part string, w *world, news chan<- struct{}) error {
	for i := 0; ctx.Err() == nil; i++ {
		w.next()
		select {
		case news <- struct{}{}:
		default:
		}
		switch {
		case part == "panic" && i == 20:
			panic("a fault in the work")
		case part == "error" && i == 20:
			return errors.New("the source is gone")
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// TestKeys drives the screen with the keys of a person.
func TestKeys(t *testing.T) {
	p := openPTY(t, 80, 24)
	before := p.settings()
	p.start("keys")
	s := p.await("the slow drive first", func(s string) bool {
		lines := strings.Split(s, "\n")
		return len(lines) > 3 && regexp.MustCompile(`^[!*#] fs2/sd5 `).MatchString(lines[3])
	})
	if !strings.Contains(s, " of 48 differ") || !p.alternate || !p.hidden || !p.mouse {
		t.Errorf("screen\n%s", s)
	}
	p.has("suspect: fs2/sd5 answers")
	p.await("the incident with its ID", regexp.MustCompile(`incident [0-9a-f]+: fs2/sd5 answers`).MatchString)

	p.send("?")
	p.has("press any key to go back")
	p.send("x")
	p.has("q quit")

	p.send("g")
	p.has("g group: peers")
	p.send("g")
	p.has("- fs2: 12 components, 1 differs")
	p.send("z") // the first group is that of the oddest drive
	p.has("+ fs2: 12 components, 1 differs")
	p.await("no drive of fs2", func(s string) bool { return !strings.Contains(s, "fs2/sd5  ") })
	p.send("\t")
	p.has("- fs2: 12 components, 1 differs")
	p.send("Z")
	p.has("+ fs4: 12")
	p.send("Z")
	p.send("g")
	p.has("g group: none")

	p.send("sss")
	p.has("s sort: name")
	p.await("names in order", func(s string) bool { return strings.HasPrefix(strings.Split(s, "\n")[3], "  fs1/sd1 ") })
	p.send("s")
	p.has("s sort: differs")

	p.send("/FS3/sd7\r")
	p.send("\r")
	p.has("esc back")
	p.has("fs3/sd7")
	p.has("mean latency of each time step")
	p.send("\x1b")
	p.has("q quit")
	p.send("/nowhere\r")
	p.has("no name of a component contains nowhere")

	p.send("\x1b[H\r") // Home, enter: the evidence of the oddest
	p.has("fs2/sd5 answers")
	p.send("q")
	p.has("q quit")

	p.send(" ")
	frozen := p.has("FROZEN")
	time.Sleep(300 * time.Millisecond)
	if again := p.screen(); again != frozen {
		t.Errorf("a frozen screen changed from\n%s\nto\n%s", frozen, again)
	}
	p.send("\x1b[D\x1b[D")
	p.has("PAST")
	p.send(" ")
	p.await("the present", func(s string) bool { return !strings.Contains(s, "PAST") && !strings.Contains(s, "FROZEN") })

	p.send("\x1b[6~\x1b[B" + "j" + "\x1b[5~" + "\x1b[F") // PgDn, down, j, PgUp, End
	p.send("\x1b[<0;5;4M\x1b[<0;5;4m")                   // a click on the first row
	p.send("\x1b[<65;5;6M")                              // the wheel
	p.send("q")
	if err := p.end(); err != nil {
		t.Error(err)
	}
	p.checkRestored(before)
}

// checkRestored checks that the terminal is as it was.
func (p *pty) checkRestored(before any) {
	p.t.Helper()
	if after := p.settings(); after != before {
		p.t.Errorf("the terminal was %+v, and is %+v", before, after)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.alternate || p.hidden || p.mouse {
		p.t.Errorf("second screen %t, hidden cursor %t, mouse %t", p.alternate, p.hidden, p.mouse)
	}
}

// TestRestores: however the program ends, the terminal is as it was.
func TestRestores(t *testing.T) {
	for name, end := range map[string]func(p *pty){
		"ctrl-C": func(p *pty) { p.send("\x03") },
		"TERM":   func(p *pty) { _ = p.child.Process.Signal(syscall.SIGTERM) },
		"INT":    func(p *pty) { _ = p.child.Process.Signal(syscall.SIGINT) },
		"HUP":    func(p *pty) { _ = p.child.Process.Signal(syscall.SIGHUP) },
		"QUIT":   func(p *pty) { _ = p.child.Process.Signal(syscall.SIGQUIT) },
		"error":  func(*pty) {},
		"panic":  func(*pty) {},
	} {
		t.Run(name, func(t *testing.T) {
			p := openPTY(t, 80, 24)
			before := p.settings()
			p.start(name)
			p.has("COMPONENT")
			if raw := p.settings(); name != "error" && name != "panic" && raw == before {
				t.Error("the terminal was not set")
			}
			end(p)
			err := p.end()
			p.checkRestored(before)
			if (err != nil) != (name == "error" || name == "panic") {
				t.Errorf("it ends with %v", err)
			}
			if name == "panic" && !strings.Contains(p.text.String(), "a fault in the work") || name == "error" && !strings.Contains(p.text.String(), "the source is gone") {
				t.Errorf("the cause is not shown: %q", p.text.String()[max(0, p.text.Len()-500):])
			}
		})
	}
}

// TestHangUp: the program ends when its terminal is closed.
func TestHangUp(t *testing.T) {
	p := openPTY(t, 80, 24)
	p.start("hang-up")
	p.has("COMPONENT")
	p.slave.Close()
	p.master.Close()
	if err := p.end(); err != nil {
		t.Error(err)
	}
}

// TestStop: a stopped program gives the terminal back, and takes it again when it continues.
func TestStop(t *testing.T) {
	for _, way := range []string{"key", "signal"} {
		t.Run(way, func(t *testing.T) {
			p := openPTY(t, 80, 24)
			before := p.settings()
			p.start("stop")
			p.has("COMPONENT")
			if way == "key" {
				p.send("\x1a")
			} else if err := p.child.Process.Signal(syscall.SIGTSTP); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(30 * time.Second); !isStopped(t, p.child.Process.Pid); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("it does not stop")
				}
			}
			time.Sleep(50 * time.Millisecond)
			p.checkRestored(before)
			if err := p.child.Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			p.await("the second screen again", func(s string) bool {
				p.mu.Lock()
				defer p.mu.Unlock()
				return p.alternate && strings.Contains(s, "COMPONENT")
			})
			p.send("q")
			if err := p.end(); err != nil {
				t.Error(err)
			}
			p.checkRestored(before)
		})
	}
}

func isStopped(t *testing.T, pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), ") ")
	return strings.HasPrefix(rest, "T")
}

// TestResize: every size is drawn whole, and nothing is drawn beside it.
func TestResize(t *testing.T) {
	p := openPTY(t, 80, 24)
	p.start("resize")
	p.has("COMPONENT")
	for _, size := range [][2]int{{200, 60}, {40, 10}, {10, 3}, {1, 1}, {80, 24}} {
		p.resize(size[0], size[1])
		if size[0] >= 40 {
			s := p.await("the keys on the last line", func(s string) bool {
				lines := strings.Split(s, "\n")
				return strings.HasPrefix(lines[len(lines)-1], "q quit") && strings.Contains(s, slowDrive)
			})
			if size[0] == 200 && !strings.Contains(s, "kB/s") {
				t.Errorf("a wide screen has no more columns:\n%s", s)
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.send("\r")
	p.has("mean latency of each time step")
	for _, size := range [][2]int{{200, 60}, {30, 8}, {1, 1}, {80, 24}} {
		p.resize(size[0], size[1])
		time.Sleep(100 * time.Millisecond)
	}
	p.send("qq")
	if err := p.end(); err != nil {
		t.Error(err)
	}
}

// TestColours: the number of colours follows the environment, and NO_COLOR has none.
func TestColours(t *testing.T) {
	for name, c := range map[string]struct {
		env  []string
		want string
		not  string
	}{
		"none": {[]string{"NO_COLOR=1"}, "\x1b[0;1;7m", `\x1b\[[0-9;]*(3[0-9]|9[0-7])[;m]`},
		"16":   {[]string{"TERM=linux"}, "\x1b[0;36m", `;[34]8;`},
		"256":  {nil, "38;5;36m", `38;2;`},
		"true": {[]string{"COLORTERM=truecolor"}, "38;2;0;158;115m", `38;5;`},
	} {
		t.Run(name, func(t *testing.T) {
			p := openPTY(t, 80, 24)
			p.start("colours", c.env...)
			p.has(slowDrive)
			p.has("suspect")
			p.send("q")
			_ = p.end()
			text := p.text.String()
			if !strings.Contains(text, c.want) || regexp.MustCompile(c.not).MatchString(text) {
				t.Errorf("%q", text[:min(len(text), 2000)])
			}
		})
	}
}

// TestASCII: a terminal without UTF-8 gets no other characters.
func TestASCII(t *testing.T) {
	p := openPTY(t, 80, 24)
	p.start("ascii", "LANG=C")
	p.has(slowDrive)
	p.send("\r")
	p.has("mean latency of each time step")
	p.send("qq")
	_ = p.end()
	for _, r := range p.text.String() {
		if r > 126 {
			t.Fatalf("character %q", r)
		}
	}
}

// TestTakeKey: keys are told apart, whole and in pieces.
func TestTakeKey(t *testing.T) {
	for in, want := range map[string]key{
		"a": {r: 'a'}, "é": {r: 'é'}, "\x1b[A": {name: "up"}, "\x1bOB": {name: "down"}, "\x1b[5~": {name: "pgup"}, "\x1b[1;2D": {name: "far left"},
		"\x1b": {name: "esc"}, "\x1b[<0;12;5M": {name: "click", x: 11, y: 4}, "\x1b[<64;1;1M": {name: "wheel up"}, "\x1b[15~": {name: "unknown"}, "\r": {name: "enter"}, "\x7f": {name: "backspace"},
	} {
		for cut := range len(in) {
			if k, n := takeKey([]byte(in[:cut]), false); n != 0 && cut > 0 && in != "é" {
				t.Errorf("%q cut to %q is %+v", in, in[:cut], k)
			}
		}
		if k, n := takeKey([]byte(in), true); k != want || n != len(in) {
			t.Errorf("%q is %+v of %d bytes, want %+v", in, k, n, want)
		}
	}
}

// BenchmarkRedraw is a screen of 200 × 60 over 10,000 components: a new frame, sorted and grouped by
// server, and the bytes for the terminal.
func BenchmarkRedraw(b *testing.B) {
	w := newModel(b, 100, 100)
	for range 5 {
		w.next()
	}
	v := newView(w, false)
	v.grouping, v.order = byServer, byLatency
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer null.Close()
	c, t := newCanvas(200, 60), &terminal{out: null, depth: trueColour}
	for b.Loop() {
		v.refresh()
		c.clear()
		v.draw(c)
		if err := t.show(c); err != nil {
			b.Fatal(err)
		}
		t.shown = nil
	}
}

// TestHelpFits: every line of the help fits into a terminal of 80 columns, beside its margin.
func TestHelpFits(t *testing.T) {
	for _, line := range helpText {
		if n := len([]rune(line)); n > 79 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
