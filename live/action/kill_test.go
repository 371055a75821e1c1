package action

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/live/ledger"
	plan "github.com/limpet-storage/limpet/report/action"
)

// The child is an executor in a process of its own, which is killed. Its storage is the tool, a program
// with state of its own that a kill of the child does not end.
const (
	childDir    = "LIMPET_TEST_ACTIONS" // directory of the ledger and of the tool
	childPoint  = "LIMPET_TEST_POINT"   // the child kills itself at this point between steps; 0: never
	killsWanted = "LIMPET_TEST_KILLS"   // number of kills
	speed       = 50                    // seconds of the child's clock in a second
	osds        = 400                   // each action is on an OSD of its own, so that its commands can be counted
)

// child carries out one action after another until it is killed. The n-th action is on OSD n. Each
// third action does not help; of the others an operator reverses each second one, and somebody else
// the rest.
func child(dir string) error {
	ctx := context.Background()
	l, err := ledger.Open(ctx, filepath.Join(dir, "ledger.sqlite"))
	if err != nil {
		return err
	}
	point, err := strconv.Atoi(os.Getenv(childPoint))
	if err != nil {
		return err
	}
	stored, err := l.Actions(ctx, "", 1<<20)
	if err != nil {
		return err
	}
	over := map[string]bool{}
	for _, one := range stored {
		if one.Ended > 0 {
			over[one.ID] = true
		}
	}
	first, err := os.Stat(filepath.Join(dir, "first"))
	if err != nil {
		return err
	}
	system := cluster(osds)
	o := DefaultOptions()
	o.Ledger, o.RecheckEvery = l, time.Minute
	o.Clock = func() time.Time { // hours pass between two actions
		return time.Unix(noon, 0).Add(speed*time.Since(first.ModTime()) + time.Duration(len(over))*2*time.Hour)
	}
	policy, err := plan.ParsePolicy("p.yaml", []byte("mode: do\nverify_minutes: 3"))
	if err != nil {
		return err
	}
	o.Policy = func() *plan.Policy { return policy }
	o.Runner = &Commands{Local: func(string) bool { return true }}
	o.Now = func() Now {
		now := o.Clock().Unix()
		in := slow(system, len(over), now)
		return Now{System: system, Open: []incident.Incident{in}, Headline: func(*incident.Incident) string { return "slow" }}
	}
	var x *Executor
	o.Latency = func(_ context.Context, component string, from, to int64) (plan.Latencies, error) {
		w := &world{x: x, after: 0.010}
		c, _ := system.Lookup(component)
		if c%3 == 0 {
			w.after = 0.030
		}
		return w.latencies(from, to), nil
	}
	count := 0
	o.betweenSteps = func(string) {
		if count++; count == point {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	if x, err = Open(ctx, o); err != nil {
		return err
	}
	reversed := map[string]bool{}
	for {
		x.Look(ctx)
		time.Sleep(time.Millisecond)
		for _, a := range x.Actions() {
			c, _ := system.Lookup(a.Component)
			switch {
			case a.State.IsFinal() && !over[a.ID]:
				over[a.ID] = true
			case a.State == Helped && c%2 == 0 && a.UndoBy == "":
				if _, err := x.Undo(ctx, a.ID, "ann", ""); err != nil {
					return err
				}
			case a.State == Helped && c%2 == 1 && !reversed[a.ID]:
				reversed[a.ID] = true
				if _, err := o.Runner.Run(ctx, plan.Command{Args: []string{"ceph", "osd", "primary-affinity", a.Names["osd"], "1"}}); err != nil {
					return err
				}
			}
		}
		if len(over) >= osds {
			return errors.New("the test has too few OSDs")
		}
	}
}

// TestKilledBetweenSteps kills the executor: at points between its steps, and at random times, also
// while a command runs. After each kill, every part that is masked belongs to an action that knows it.
// At the end no command was run twice, and no part is masked.
func TestKilledBetweenSteps(t *testing.T) {
	kills := 24 // make kill-actions does 500
	if testing.Short() {
		kills = 8
	}
	if n, err := strconv.Atoi(os.Getenv(killsWanted)); err == nil {
		kills = n
	}
	dir, bin := t.TempDir(), t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(bin, "ceph")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(newStorage(osds).save(dir), os.WriteFile(filepath.Join(dir, "first"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(37, 500))
	start := func(point int) *exec.Cmd {
		c := exec.Command(self, "-test.run=^$")
		c.Env = append(os.Environ(), childDir+"="+dir, toolDir+"="+dir, childPoint+"="+strconv.Itoa(point), "PATH="+bin)
		c.Stderr = os.Stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		return c
	}
	inCommand, doing := 0, 0
	for k := range kills {
		point := 0
		if k%2 == 0 {
			point = 1 + chance.IntN(60)
		}
		c := start(point)
		if point == 0 {
			time.Sleep(time.Duration(50+chance.IntN(350)) * time.Millisecond)
			c.Process.Kill()
		}
		c.Wait()
		if c.ProcessState.ExitCode() >= 0 {
			t.Fatalf("kill %d: the child ended by itself: %v", k, c.ProcessState)
		}
		actions, unfinished := examine(t, dir)
		inCommand += unfinished
		if n := len(actions); n > 0 && actions[n-1].State == Doing {
			doing++
		}
	}
	// The last child comes to the end of the action that is under way. On a busy machine no child
	// before it may have come that far: the last one goes on until two parts are unmasked again, so
	// that at least the first end is in the ledger, and until there are as many actions as the test
	// wants.
	c := start(0)
	deadline := time.Now().Add(2 * time.Minute)
	for {
		time.Sleep(200 * time.Millisecond)
		masked, unmasked := calls(t, dir)
		if s, err := readStorage(dir); err == nil && len(s.Relieved) == 0 && len(masked) >= kills/8 && len(unmasked) >= 2 {
			c.Process.Signal(syscall.SIGSTOP)
			if s, err = readStorage(dir); err == nil && len(s.Relieved) == 0 {
				break
			}
			c.Process.Signal(syscall.SIGCONT)
		}
		if time.Now().After(deadline) {
			t.Fatal("a part stays masked")
		}
	}
	c.Process.Kill()
	c.Wait()
	actions, _ := examine(t, dir)
	states := map[State]int{}
	for i := range actions {
		states[actions[i].State]++
	}
	t.Logf("%d kills, %d of them with an action whose command had started and whose effect was not known, %d of those before the command's end was recorded; %d actions: %v", kills, doing, inCommand, len(actions), states)
	if len(actions) < kills/8 || states[Undone] == 0 {
		t.Errorf("after %d kills only %d actions: %v", kills, len(actions), states)
	}
}

// calls returns how often the tool masked and unmasked each OSD.
func calls(t *testing.T, dir string) (masked, unmasked map[string]int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "calls"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	masked, unmasked = map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 5 {
			continue // the tool writes this line now
		}
		if f[4] == "0" {
			masked[f[3]]++
		} else {
			unmasked[f[3]]++
		}
	}
	return masked, unmasked
}

// examine compares the ledger with the storage while no executor runs. It returns the actions, and how
// many commands have begun without an end in the ledger since the last look.
func examine(t *testing.T, dir string) (actions []Action, unfinished int) {
	t.Helper()
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil { // no tool is at work
		t.Fatal(err)
	}
	l, err := ledger.Open(t.Context(), filepath.Join(dir, "ledger.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	stored, err := l.Actions(t.Context(), "", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(stored)
	byOSD := map[string]*Action{}
	open := 0
	for _, one := range stored {
		a, err := Decode(one)
		if err != nil {
			t.Fatal(err)
		}
		actions = append(actions, a)
		if was := byOSD[a.Names["osd"]]; was != nil && was.Began > 0 {
			t.Errorf("two actions on %s: %+v and %+v", a.Names["osd"], was, a)
		}
		byOSD[a.Names["osd"]] = &a
		if !a.State.IsFinal() {
			open++
		}
	}
	if open > 1 {
		t.Errorf("%d actions at once", open)
	}
	s, err := readStorage(dir)
	if err != nil {
		t.Fatal(err)
	}
	for osd := range s.Relieved {
		if a := byOSD[osd]; a == nil || !a.State.Masks() {
			t.Errorf("%s is masked, and the ledger has %+v", osd, a)
		}
	}
	done, _ := calls(t, dir)
	for osd, n := range done {
		if n > 1 {
			t.Errorf("the action on %s was done %d times", osd, n)
		}
		if a := byOSD[osd]; a == nil || a.Began == 0 {
			t.Errorf("the command ran on %s, and the ledger has %+v", osd, a)
		}
	}
	for osd, a := range byOSD {
		if (a.State == Watching || a.State == Helped || a.State == Undone || a.State == Reversed) && done[osd] != 1 {
			t.Errorf("the action on %s is %s, and its command ran %d times", osd, a.State, done[osd])
		}
		if a.State == Failed && done[osd] > 0 { // a failed action must have had no effect
			t.Errorf("the action on %s is %s, and its command ran", osd, a.State)
		}
		records, err := l.ActionRecords(t.Context(), a.ID, 10000)
		if err != nil {
			t.Fatal(err)
		}
		started := 0
		for i, one := range records {
			var r Record
			if err := json.Unmarshal(one.Document, &r); err != nil {
				t.Fatal(err)
			}
			if r.Event == Does && r.Starts {
				started++
				if i == len(records)-1 {
					unfinished++
				}
			}
		}
		if started > 1 || done[osd] > started {
			t.Errorf("the command on %s was started %d times by the ledger, and ran %d times", osd, started, done[osd])
		}
	}
	return actions, unfinished
}
