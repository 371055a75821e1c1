package pagetest

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Screenshots is the environment variable with the directory for screenshots. If it is not set, no
// screenshots are kept.
const Screenshots = "LIMPET_SCREENSHOTS"

// A Browser runs until its test ends. Tests that run at the same time may share a browser; each has
// its own tabs.
type Browser struct {
	mu      sync.Mutex // guards the following fields
	steps   *json.Encoder
	number  int // number of the last step
	waiting map[int]chan answer
	ended   error // error that ended the connection to the driver; nil: it is open

	stderr strings.Builder
}

// An answer is the result of a step.
type answer struct {
	Number int
	Value  json.RawMessage
	Error  string
}

// A View is a window with the preferences of its reader.
type View struct {
	Width, Height int
	Dark          bool
	NoScript      bool
	Fragment      string // part of the address after its #
	Zone          string // time zone of the reader, such as Europe/Berlin; empty: the zone of the machine
	Alone         bool   // a new window without stored data of other pages
}

// A Tab is an open page. Its methods wait until the page has settled, and end the test if a step
// fails.
type Tab struct {
	t  testing.TB
	b  *Browser
	id int
}

// A step is a line to the driver.
type step struct {
	Number     int     `json:"number"`
	Do         string  `json:"do"`
	Tab        int     `json:"tab"`
	On         string  `json:"on,omitempty"`
	X          float64 `json:"x"`
	Y          float64 `json:"y"`
	To         float64 `json:"to"`
	Key        string  `json:"key,omitempty"`
	Expression string  `json:"expression,omitempty"`
	File       string  `json:"file,omitempty"`
	Address    string  `json:"address,omitempty"`
	Zone       string  `json:"zone,omitempty"`
	Window     bool    `json:"window,omitempty"`
	Width      int     `json:"width,omitempty"`
	Height     int     `json:"height,omitempty"`
	Dark       bool    `json:"dark,omitempty"`
	NoScript   bool    `json:"noScript,omitempty"`
	Alone      bool    `json:"alone,omitempty"`
	Fragment   string  `json:"fragment,omitempty"`
}

// Start starts a browser, or skips the test if it cannot be started.
func Start(t testing.TB) *Browser {
	t.Helper()
	chromium, node := need(t, "chromium"), modernNode(t)
	cmd := exec.Command(node, filepath.Join(installed(t), "driver.mjs"), chromium)
	b := &Browser{}
	cmd.Stderr = &b.stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start node: %v", err)
	}
	b.steps, b.waiting = json.NewEncoder(stdin), map[int]chan answer{}
	go b.listen(json.NewDecoder(stdout))
	t.Cleanup(func() { stop(cmd, stdin) })
	return b
}

// stop ends the driver, which closes its browser first.
func stop(cmd *exec.Cmd, stdin io.Closer) {
	stdin.Close()
	late := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	_ = cmd.Wait() // the failing step has already reported the error
}

// Open opens a page in a file. Errors, warnings and requests of the page fail the test at its end.
func (b *Browser) Open(t testing.TB, file string, v View) *Tab {
	t.Helper()
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return b.open(t, step{File: file}, filepath.Base(file), v)
}

// Visit opens a page of a server. Errors, warnings and requests to other servers fail the test at
// its end.
func (b *Browser) Visit(t testing.TB, address string, v View) *Tab {
	t.Helper()
	return b.open(t, step{Address: address}, address, v)
}

func (b *Browser) open(t testing.TB, s step, name string, v View) *Tab {
	t.Helper()
	tab := &Tab{t: t, b: b}
	s.Do, s.Fragment, s.Width, s.Height, s.Dark, s.NoScript, s.Zone, s.Alone = "open", v.Fragment, v.Width, v.Height, v.Dark, v.NoScript, v.Zone, v.Alone
	tab.do(s, &tab.id)
	t.Cleanup(func() {
		for _, complaint := range tab.Complaints() {
			t.Errorf("%s: %s", name, complaint)
		}
		tab.do(step{Do: "close"}, nil)
	})
	return tab
}

// Click clicks the first element of a CSS selector.
func (t *Tab) Click(on string) { t.t.Helper(); t.do(step{Do: "click", On: on}, nil) }

// Hover moves the mouse to a point of an element. x and y are shares of its width and height.
func (t *Tab) Hover(on string, x, y float64) {
	t.t.Helper()
	t.do(step{Do: "hover", On: on, X: x, Y: y}, nil)
}

// Drag drags across an element. from and to are shares of its width.
func (t *Tab) Drag(on string, from, to float64) {
	t.t.Helper()
	t.do(step{Do: "drag", On: on, X: from, To: to}, nil)
}

// Focus gives an element the keyboard focus.
func (t *Tab) Focus(on string) { t.t.Helper(); t.do(step{Do: "focus", On: on}, nil) }

// Press presses a key: "ArrowDown", "+".
func (t *Tab) Press(key string) { t.t.Helper(); t.do(step{Do: "press", Key: key}, nil) }

// Type types a text.
func (t *Tab) Type(text string) { t.t.Helper(); t.do(step{Do: "type", Key: text}, nil) }

// Go changes the part of the address after its #.
func (t *Tab) Go(fragment string) { t.t.Helper(); t.do(step{Do: "go", Fragment: fragment}, nil) }

// Print shows the page as it looks in print.
func (t *Tab) Print() { t.t.Helper(); t.do(step{Do: "print"}, nil) }

// Obstacles returns the serious accessibility problems that axe-core finds.
func (t *Tab) Obstacles() []string {
	t.t.Helper()
	var all []string
	t.do(step{Do: "axe"}, &all)
	return all
}

// Back goes back, like the browser's button.
func (t *Tab) Back() { t.t.Helper(); t.do(step{Do: "back"}, nil) }

// Texts returns the texts of the visible elements. A run of spaces becomes one space.
func (t *Tab) Texts(on string) []string {
	t.t.Helper()
	var texts []string
	t.do(step{Do: "texts", On: on}, &texts)
	return texts
}

// Text returns the texts of the visible elements, joined.
func (t *Tab) Text(on string) string {
	t.t.Helper()
	return strings.Join(t.Texts(on), " ")
}

// Until waits in the page until a JavaScript expression is true, at most for patience. It reports
// whether the expression became true.
func (t *Tab) Until(expression string, patience time.Duration) (became bool) {
	t.t.Helper()
	t.do(step{Do: "until", Expression: expression, X: patience.Seconds()}, &became)
	return became
}

// Evaluate stores the value of a JavaScript expression.
func (t *Tab) Evaluate(expression string, into any) {
	t.t.Helper()
	t.do(step{Do: "evaluate", Expression: expression}, into)
}

// Complaints returns the errors, warnings and requests of the page so far.
func (t *Tab) Complaints() []string {
	t.t.Helper()
	var all []string
	t.do(step{Do: "complaints"}, &all)
	return all
}

// Forgive forgets the page's complaints so far, for a test that has provoked them.
func (t *Tab) Forgive() { t.t.Helper(); t.do(step{Do: "forgive"}, nil) }

// Shoot saves a picture of the whole page as NAME.png, if the environment has a directory for it.
func (t *Tab) Shoot(name string) { t.t.Helper(); t.shoot(name, false) }

// ShootWindow saves a picture of the visible part of the page.
func (t *Tab) ShootWindow(name string) { t.t.Helper(); t.shoot(name, true) }

func (t *Tab) shoot(name string, window bool) {
	t.t.Helper()
	dir := os.Getenv(Screenshots)
	if dir == "" {
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.t.Fatalf("%s: %v", Screenshots, err)
	}
	t.do(step{Do: "shoot", File: filepath.Join(dir, name+".png"), Window: window}, nil)
}

// do sends a step to the driver and stores its answer.
func (t *Tab) do(s step, into any) {
	t.t.Helper()
	s.Tab = t.id
	if err := t.b.do(s, into); err != nil {
		t.t.Fatalf("%s %s%s%s: %v", s.Do, s.On, s.Key, s.Expression, err)
	}
}

func (b *Browser) do(s step, into any) error {
	told, err := b.send(&s)
	if err != nil {
		return err
	}
	got, ok := <-told
	if !ok {
		b.mu.Lock()
		defer b.mu.Unlock()
		return fmt.Errorf("driver: %w\n%s", b.ended, b.stderr.String())
	}
	if got.Error != "" {
		return fmt.Errorf("%s", got.Error)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(got.Value, into)
}

// send sends a step to the driver, and returns the channel of its answer.
func (b *Browser) send(s *step) (chan answer, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended != nil {
		return nil, fmt.Errorf("driver: %w\n%s", b.ended, b.stderr.String())
	}
	b.number++
	s.Number = b.number
	told := make(chan answer, 1)
	b.waiting[s.Number] = told
	return told, b.steps.Encode(s)
}

// listen passes the answers to their channels, until the connection ends.
func (b *Browser) listen(answers *json.Decoder) {
	for {
		var got answer
		err := answers.Decode(&got)
		b.mu.Lock()
		if err != nil {
			b.ended = err
			for _, told := range b.waiting {
				close(told)
			}
			b.mu.Unlock()
			return
		}
		b.waiting[got.Number] <- got
		delete(b.waiting, got.Number)
		b.mu.Unlock()
	}
}
