package console_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/report/page/pagetest"
	"github.com/limpet-storage/limpet/server/sitetest"
)

// TestFigures measures what operators feel, with 9,216 attachments over 7 days and
// with 100,008 drives, and holds it against bounds (make console-figures).
func TestFigures(t *testing.T) {
	updates, err := strconv.Atoi(os.Getenv("LIMPET_CONSOLE_FIGURES"))
	if err != nil {
		t.Skip("LIMPET_CONSOLE_FIGURES names no number of live updates: figures take ten minutes and a quiet machine")
	}
	b := pagetest.Start(t)
	for name, site := range map[string]func(int64) *sitetest.Site{"9,216 attachments": sitetest.Intrepid, "100,008 drives": sitetest.Fleet} {
		t.Run(name, func(t *testing.T) {
			w := serve(t, site(now()))
			firstPaint(t, w, b)
			interaction(t, w, b)
			travel(t, w, b)
			heap(t, w, b, updates)
		})
	}
}

// figure logs a measurement, and fails beyond its bound.
func figure(t *testing.T, what string, got, most float64, unit string) {
	t.Helper()
	t.Logf("%-46s %8.1f %s (at most %g)", what, got, unit, most)
	if got > most {
		t.Errorf("%s: %.1f %s, at most %g are bearable", what, got, unit, most)
	}
}

// firstPaint is from the click on a link to the first cards and the first map.
func firstPaint(t *testing.T, w *world, b *pagetest.Browser) {
	for what, at := range map[string][2]string{"first cards": {"/", "article"}, "first map": {"/map", ".worst"}} {
		alone := desk
		alone.Alone = true // who looks for the first time has nothing yet
		tab := w.visit(t, b, alone, at[0])
		var paint, shown float64
		tab.Evaluate(`performance.getEntriesByName("first-contentful-paint")[0].startTime`, &paint)
		tab.Evaluate(`performance.getEntriesByName("limpet-shown")[0]?.startTime ?? 1e9`, &shown)
		figure(t, what+", first paint", paint, 1000, "ms")
		figure(t, what+", content", shown, 3000, "ms")
	}
}

// interaction is from a key to the frame that shows what it did.
const typed = `(async () => {
	const input = document.querySelector("[role=combobox]");
	input.focus();
	const took = [];
	for (const text of ["s", "s0", "s04", "fs1", "1.0", "zz"]) {
		const began = performance.now();
		input.value = text;
		input.dispatchEvent(new InputEvent("input", {bubbles: true}));
		await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
		took.push(performance.now() - began);
	}
	return Math.max(...took);
})()`

func interaction(t *testing.T, w *world, b *pagetest.Browser) {
	tab := w.visit(t, b, desk, "/")
	var warm, took float64
	tab.Evaluate(typed, &warm)
	tab.Evaluate(typed, &took)
	figure(t, "a letter typed into find, the first ones", warm, 500, "ms")
	figure(t, "a letter typed into find", took, 100, "ms")
}

// dragged moves the slider of the map in each frame, and measures the frames.
const dragged = `(async () => {
	const slider = document.querySelector("input[type=range]");
	slider.focus();
	const [low, high] = [Number(slider.min), Number(slider.max)];
	const frames = [];
	let before = await new Promise(requestAnimationFrame);
	for (let i = 0; i < 120; i++) {
		slider.value = high - (high - low) * (i % 60) / 60;
		slider.dispatchEvent(new InputEvent("input", {bubbles: true}));
		const at = await new Promise(requestAnimationFrame);
		frames.push(at - before);
		before = at;
	}
	frames.sort((a, b) => a - b);
	return [frames[60], frames[113]];
})()`

func travel(t *testing.T, w *world, b *pagetest.Browser) {
	tab := w.visit(t, b, desk, "/map")
	var frames []float64
	tab.Evaluate(dragged, &frames)
	figure(t, "a frame while the slider is dragged, median", frames[0], 50, "ms")
	figure(t, "a frame while the slider is dragged, 95 %", frames[1], 150, "ms")
}

// heap is what the page holds after many live updates, beside what it held after the
// first ones.
func heap(t *testing.T, w *world, b *pagetest.Browser, updates int) {
	tab := w.visit(t, b, desk, "/")
	held := func() (bytes float64) {
		tab.Evaluate(`new Promise(done => setTimeout(() => { globalThis.gc?.(); done(performance.memory.usedJSHeapSize / 1e6) }, 50))`, &bytes)
		return bytes
	}
	update := func(n int) {
		for range n {
			w.Tick()
			w.Worsen(3)
			time.Sleep(1010 * time.Millisecond) // the page refreshes once a second
		}
	}
	update(10)
	before := held()
	update(updates)
	figure(t, fmt.Sprintf("heap after %d live updates, growth", updates), held()-before, 10, "MB")
}
