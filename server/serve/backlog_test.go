package serve

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate"
	"github.com/limpet-storage/limpet/lab/simulate/playback"
)

// TestBacklog begins to serve when a day of files is there already, just after their last
// record, and says how long it takes until it is live.
func TestBacklog(t *testing.T) {
	if *liveDir == "" {
		t.Skip("no directory whose files are a backlog: -live.dir")
	}
	dir := t.TempDir()
	for name, of := range map[string]string{"grows": "", simulate.TopologyFile: simulate.TopologyFile} {
		if err := os.Symlink(filepath.Join(*liveDir, of), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	day, err := playback.Open(*liveDir, filepath.Join(dir, "unused"))
	if err != nil {
		t.Fatal(err)
	}
	first, last := day.Span()
	speed := *liveSpeed
	*liveSpeed = 1
	defer func() { *liveSpeed = speed }()
	began, at := time.Now(), freeAddress(t)
	c, end := startServing(t, dir, at, last, began)
	until(t, "it is ready", func() bool {
		time.Sleep(200 * time.Millisecond) // to ask costs the server something, too
		return isReady(at)
	})
	live, taken := time.Since(began), processorSeconds(c)
	stands := standsAt(at)
	if stands < last-120 {
		t.Errorf("ready at %d, and the last record is of %d", stands, last)
	}
	until(t, "all was read", func() bool {
		before := stands
		time.Sleep(time.Second)
		stands = standsAt(at)
		return stands == before
	})
	got := answer(at, "/api/v1/diagnosis")
	end()
	_, peak := used(c)
	d := exec.Command(os.Args[0])
	d.Env = append(os.Environ(), childOther+"="+dir, fmt.Sprintf("%s=%d", childUntil, stands))
	d.Stderr = os.Stderr
	want, err := d.Output()
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the verdicts differ:\n%s", differing(got, string(want)))
	}
	cpu, _ := used(d)
	if *liveSeconds > 0 && live.Seconds() > *liveSeconds {
		t.Errorf("live after more than %g s", *liveSeconds)
	}
	t.Logf("a backlog of %.1f h: live after %.1f s, which took %.1f CPU-s, %d MB; verdicts equal byte for byte: %t; diagnose: %.1f CPU-s",
		float64(last-first)/3600, live.Seconds(), taken, peak, got == string(want), cpu.Seconds())
}

func isReady(at string) bool {
	a, err := http.Get("http://" + at + "/-/ready")
	if err != nil {
		return false
	}
	defer a.Body.Close()
	return a.StatusCode == http.StatusOK
}

// processorSeconds is what a process that runs has taken, where the kernel tells.
func processorSeconds(c *exec.Cmd) (seconds float64) {
	const ticksPerSecond = 100
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	var ticks [2]float64
	for i, field := range strings.Fields(rest)[11:13] {
		if _, err := fmt.Sscan(field, &ticks[i]); err != nil {
			return 0
		}
	}
	return (ticks[0] + ticks[1]) / ticksPerSecond
}
