//go:build linux

package screen

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A drawing draws a view as a session does, without a terminal.
type drawing struct {
	session
	t testing.TB
}

func newDrawing(t testing.TB, feed Feed, width, height int) *drawing {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	d := &drawing{t: t}
	d.terminal, d.view, d.canvas = &terminal{out: null, depth: trueColour}, newView(feed, false), newCanvas(width, height)
	return d
}

// send presses keys as a terminal sends them.
func (d *drawing) send(keys string) {
	d.pending = append(d.pending, keys...)
	if d.press(true) {
		d.t.Fatalf("%q quits", keys)
	}
}

// next takes the newest frame, and draws it.
func (d *drawing) next() string {
	d.view.refresh()
	d.canvas.clear()
	d.view.draw(d.canvas)
	if err := d.terminal.show(d.canvas); err != nil {
		d.t.Fatal(err)
	}
	return d.canvas.String()
}

// TestSoak draws ten thousand frames while a person presses every key and changes the size of the
// terminal: memory does not grow. LIMPET_SOAK_FRAMES is another number of frames (make top-soak).
func TestSoak(t *testing.T) {
	frames := 10_000
	if testing.Short() {
		frames = 1500
	}
	if n := os.Getenv("LIMPET_SOAK_FRAMES"); n != "" {
		var err error
		if frames, err = strconv.Atoi(n); err != nil {
			t.Fatal(err)
		}
	}
	w := newModel(t, 4, 12)
	for range 3700 { // the history of the model is full then
		w.next()
	}
	d := newDrawing(t, w, 80, 24)
	keys := []string{
		"?", "x", "g", "g", "z", "Z", "Z", "g", "s", "j", "\x1b[6~", "\x1b[F", "\r", "\x1b[A", "j", "\x1b", "\x1b[H", "s", "s", "s",
		"/sd7\r", "n", "N", "\r", "\x1b", "/nowhere\r", " ", "\x1b[D", "\x1b[1;2D", "\x1b[C", " ", "\x1b[<0;5;6M", "\x1b[<65;5;6M", "\x0c", "\x1b[<0;5;6M",
	}
	sizes := [][2]int{{80, 24}, {200, 60}, {40, 10}, {1, 1}, {80, 24}}
	heap := func() uint64 {
		runtime.GC()
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	var before uint64
	evidence, past := 0, 0
	for i := range frames {
		w.slow = i / 300 % w.schema.Components // another drive is slow
		w.next()
		d.send(keys[i%len(keys)])
		if i%50 == 0 {
			size := sizes[i/50%len(sizes)]
			d.canvas, d.terminal.shown = newCanvas(size[0], size[1]), nil
		}
		d.next()
		if d.view.evidence != "" {
			evidence++
		}
		if d.view.end != 0 {
			past++
		}
		if i == frames/3 {
			before = heap()
		}
	}
	after := heap()
	runtime.KeepAlive(d) // the garbage collector must not take what is measured
	t.Logf("%d frames, %d of them evidence, %d of the past: %d bytes after a third, %d at the end", frames, evidence, past, before, after)
	if after > before+1<<20 {
		t.Errorf("memory grew from %d to %d bytes", before, after)
	}
	if evidence < frames/20 || past < frames/50 {
		t.Errorf("the keys do not reach all views: %d frames of evidence, %d of the past", evidence, past)
	}
}

// TestHundredThousand: a screen over 100,000 components has the slow one first, moves to the last, and
// finds one by its name. The log has the time of a row and its frame, and the memory of the process.
func TestHundredThousand(t *testing.T) {
	servers := 1000
	if testing.Short() {
		servers = 100
	}
	w := newModel(t, servers, 100)
	d := newDrawing(t, w, 120, 40)
	for range 4 {
		w.next()
		d.next()
	}
	begun := time.Now()
	const rows = 5
	for range rows {
		w.next()
	}
	rowTime := time.Since(begun) / rows
	begun = time.Now()
	text := d.next()
	if lines := strings.Split(text, "\n"); !strings.HasPrefix(lines[3], "! "+slowDrive+" ") && !strings.HasPrefix(lines[3], "* "+slowDrive+" ") {
		t.Errorf("the slow drive is not first:\n%s", text)
	}
	drawTime := time.Since(begun)
	d.send("\x1b[F")
	if text := d.next(); strings.HasPrefix(strings.Split(text, "\n")[3], "* "+slowDrive) {
		t.Errorf("the key End does not show the last components:\n%s", text)
	}
	d.send("/fs77/sd99\r")
	if text := d.next(); !strings.Contains(text, "fs77/sd99 ") {
		t.Errorf("fs77/sd99 is not found:\n%s", text)
	}
	d.send("gg")
	if text := d.next(); !strings.Contains(text, "- fs77: 100") && !strings.Contains(text, "fs77/sd99 ") {
		t.Errorf("groups by server:\n%s", text)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	resident, _, _ := strings.Cut(rest, "\n")
	runtime.KeepAlive(d)
	t.Logf("%d components: a row takes %v, drawing it %v; the process has %s", servers*100, rowTime, drawTime, strings.TrimSpace(resident))
}
