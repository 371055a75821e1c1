package agent

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/record/sadf"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestDeviceComesAndGoes has a disk that appears while a machine is recorded,
// is named within seconds, is removed, and gives its number to another.
func TestDeviceComesAndGoes(t *testing.T) {
	probe := loops(t, 1)[0] // whose number nobody else takes meanwhile
	probe.remove()
	o := DefaultOptions()
	o.NoTCP, o.NoLatency = true, true // programs take a while to load
	o.Record.Dir, o.Record.Interval = t.TempDir(), 250*time.Millisecond
	stop := start(t, o)
	time.Sleep(600 * time.Millisecond)
	for _, life := range []time.Duration{askSoonest*10*time.Millisecond + time.Second, time.Second} {
		l, err := newLoop(t.TempDir(), probe.minor)
		if err != nil || l.minor != probe.minor {
			t.Skipf("no loop device of the same number: %v", err)
		}
		l.work(t, 7, 3)
		time.Sleep(life)
		l.remove()
		time.Sleep(time.Second)
	}
	stop()
	file := onlyFile(t, o)
	if got, want := lives(t, file, probe.minor), "absent 10 absent 10 absent"; got != want {
		t.Errorf("the disk was %s, want %s", got, want)
	}
	checkRows(t, file, probe)
}

// lives tells in which samples a loop device is, by how many I/Os it had done
// in the end.
func lives(t *testing.T, file string, minor int) string {
	const absent = "absent"
	var story []string
	named := false
	eachStats(t, file, func(rec *sysstat.Record, known *sysstat.Inventory) {
		now := absent
		for _, d := range rec.Disks(nil) {
			if d.Major == loopMajor && int(d.Minor) == minor {
				now = count(d.IOs)
				device, _ := known.Device(d.Major, d.Minor)
				named = named || device.Name != "" && device.Size == loopBlocks*blockSize
			}
		}
		if n := len(story); n > 0 && (story[n-1] == absent) == (now == absent) {
			story = story[:n-1]
		}
		story = append(story, now)
	})
	if !named {
		t.Error("the disk has no name")
	}
	return strings.Join(story, " ")
}

// checkRows: sadf prints of the disk what limpet does.
func checkRows(t *testing.T, file string, l *loop) {
	t.Helper()
	r, err := sysstat.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var text strings.Builder
	if err := sadf.Dump(&text, r, sadf.DefaultOptions()); err != nil {
		t.Fatal(err)
	}
	ours := rowsOf(text.String(), l)
	if len(ours) < 10 {
		t.Errorf("%d rows of %s in\n%s", len(ours), l.name(), text.String())
	}
	if _, err := exec.LookPath("sadf"); err != nil {
		t.Skip("sadf is not installed")
	}
	out, err := exec.Command("sadf", "-d", file, "--", "-d").CombinedOutput()
	if theirs := rowsOf(string(out), l); err != nil || !slices.Equal(ours, theirs) {
		t.Errorf("sadf, error %v, prints\n%s, we\n%s", err, strings.Join(theirs, "\n"), strings.Join(ours, "\n"))
	}
}

// rowsOf are the rows of a device.
func rowsOf(text string, l *loop) (rows []string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, ";"+l.name()+";") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	return rows
}
