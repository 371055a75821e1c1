package alert

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func batch(names ...string) (b Batch) {
	for _, name := range names {
		b.New = append(b.New, Notification{
			State: Firing, Severity: Critical, Incident: name, Headline: "LUN 1.1 <slow>", Number: "2.49 times slower than 15 peers",
		})
	}
	return b
}

func send(t *testing.T, r Sender, b Batch) {
	t.Helper()
	if err := r.Send(t.Context(), b); err != nil {
		t.Fatal(err)
	}
}

// names returns the incidents of the lines of a file; "-" is a line that is no JSON.
func names(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for line := range strings.Lines(string(text)) {
		var n Notification
		if json.Unmarshal([]byte(line), &n) != nil {
			n.Incident = "-"
		}
		list = append(list, n.Incident)
	}
	return strings.Join(list, " ")
}

func TestAFileThatIsRotated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "alerts.json")
	f, err := NewFile(path, "")
	if err != nil {
		t.Fatal(err)
	}
	send(t, f, batch("a", "b"))
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	send(t, f, batch("c"))
	if names(t, path+".1") != "a b" || names(t, path) != "c" {
		t.Errorf("%q, then %q", names(t, path+".1"), names(t, path))
	}
}

// A killed process has left half a line: the next line is complete.
func TestHalfALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "alerts.json")
	if err := os.WriteFile(path, []byte("{\"version\":1,\"st"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := NewFile(path, "")
	if err != nil {
		t.Fatal(err)
	}
	send(t, f, batch("a"))
	if got := names(t, path); got != "- a" {
		t.Errorf("lines %q", got)
	}
}

// On a full disk no half line is written, and the notification counts as not delivered.
func TestAFullDisk(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a small tmpfs")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	path, ballast := filepath.Join(dir, "alerts.json"), filepath.Join(dir, "ballast")
	f, err := NewFile(path, "")
	if err != nil {
		t.Fatal(err)
	}
	send(t, f, batch("a"))
	os.WriteFile(ballast, make([]byte, 64<<10), 0o600)
	many := batch(strings.Split(strings.Repeat("b ", 40), " ")...)
	if err := f.Send(t.Context(), many); err == nil || names(t, path) != "a" {
		t.Errorf("on a full disk: %v, lines %q", err, names(t, path))
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	send(t, f, batch("c"))
	if got := names(t, path); got != "a c" {
		t.Errorf("with space again: %q", got)
	}
}

func TestStreams(t *testing.T) {
	var out bytes.Buffer
	send(t, NewStream(&out), batch("a"))
	if text := out.String(); !strings.HasPrefix(text, `{"version":0,"key":"","state":"firing"`) || !strings.Contains(text, "<slow>") || strings.Count(text, "\n") != 1 {
		t.Errorf("JSON: %s", text)
	}
	out.Reset()
	b := batch("a", "b", "c")
	b.New[1].State = Resolved
	b.New[2].Severity, b.New[2].Incident, b.New[2].Alert, b.New[2].Headline = Warning, "", "suspect-1.2", "a\n<0>forged\x1b[2J"
	send(t, NewJournal(&out), b)
	want := `<2>limpet: firing [a] LUN 1.1 <slow>: 2.49 times slower than 15 peers
<5>limpet: resolved [b] LUN 1.1 <slow>: 2.49 times slower than 15 peers
<4>limpet: firing [suspect-1.2] a <0>forged\x1b[2J: 2.49 times slower than 15 peers
`
	if out.String() != want {
		t.Errorf("the journal has\n%swant\n%s", &out, want)
	}
}

func TestAFileThatCannotBeWritten(t *testing.T) {
	if _, err := NewFile(filepath.Join(t.TempDir(), "none", "alerts.json"), ""); err == nil {
		t.Error("a directory that is not there is no mistake")
	}
}
