package torture

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/faultfs"
	"github.com/limpet-storage/limpet/live/ledger"
)

var cuts = flag.Int("cuts", 2, "times that the power of a server is cut")

// diskFaults are the faults of a disk that a server lives with for a while.
var diskFaults = []string{"write: eio", "fsync: eio", "write: enospc", "create: eio\nrename: eio", "fsync *.sqlite-wal: eio", "write *.log: eio"}

// TestPowerCuts: the disk with the whole state of a server fails for a while in each life, and then
// the power is cut at any operation: every sector that was not synced is old or new. Incidents, their
// IDs and what was told are those of a server whose disk never failed, and every command that was
// answered with success is in the ledger. While the disk fails, the status says so.
func TestPowerCuts(t *testing.T) {
	w := newWorld(t, *hours, uint64(*cuts))
	w.settings.Endpoint = "" // what a cut costs of received data is tested with the spool (package exporter)
	p := &powered{world: w, t: t, disk: faultfs.Mount(t)}
	w.now += ahead
	perLife := int(w.end-w.now) / stepSeconds / (*cuts + 1)
	for range *cuts {
		p.start()
		p.grow(perLife / 2)
		p.command()
		p.fail(perLife / 4)
		p.cut(perLife / 4)
	}
	p.start()
	p.grow(int(w.end-w.now) / stepSeconds)
	p.command()
	kill(t, p.c)
	p.end()
}

// powered is a server whose state is on a disk that fails.
type powered struct {
	*world
	t     *testing.T
	disk  *faultfs.FS
	c     *exec.Cmd
	life  *rowCounter
	said  int // commands that were answered with success
	dirty []string
}

func (p *powered) start() {
	p.settings.State = filepath.Join(p.disk.Dir, stateDir)
	p.settle()
	p.hook.nextLife()
	p.life = &rowCounter{}
	c := start(p.t, p.dir, p.life)
	p.t.Cleanup(func() { _ = c.Process.Kill() }) // before the disk is unmounted, if the test fails
	p.c = c
	p.await(p.t, "the server answers", func() bool { return p.status() != nil })
}

// grow lets some steps be judged, as far as the server lives.
func (p *powered) grow(steps int) { p.world.grow(p.t, p.life, steps) }

// status returns the kinds of troubles; nil if the server does not answer.
func (p *powered) status() []string {
	answer, err := http.Get("http://" + p.settings.Listen + "/api/v1/status")
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	var status struct{ Troubles []struct{ Kind string } }
	if json.NewDecoder(answer.Body).Decode(&status) != nil {
		return nil
	}
	kinds := []string{}
	for _, one := range status.Troubles {
		kinds = append(kinds, one.Kind)
	}
	return kinds
}

// command names the true cause of an incident, if there is one. The server has stored it when it
// answers with success.
func (p *powered) command() {
	p.t.Helper()
	base := "http://" + p.settings.Listen + "/api/v1/incidents"
	answer, err := http.Get(base)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	var all struct {
		Incidents []struct{ Incident struct{ ID string } }
	}
	if err := json.NewDecoder(answer.Body).Decode(&all); err != nil {
		p.t.Fatal(err)
	}
	if len(all.Incidents) == 0 {
		return
	}
	p.await(p.t, "a command is taken", func() bool { // not while the journal is being repaired
		body := strings.NewReader(fmt.Sprintf(`{"verb": "was", "text": "cause %d"}`, p.said))
		done, err := http.Post(base+"/"+all.Incidents[0].Incident.ID+"/feedback", "application/json", body)
		if err != nil {
			p.t.Fatal(err)
		}
		done.Body.Close()
		return done.StatusCode == http.StatusOK
	})
	p.said++
}

// fail lets the disk fail for some steps. The server judges on.
func (p *powered) fail(steps int) {
	rule := diskFaults[p.rng.IntN(len(diskFaults))]
	p.disk.Inject(rule)
	p.grow(steps)
	if strings.HasPrefix(rule, "write:") { // the others may not meet any operation so soon
		p.await(p.t, "the status reports the disk", func() bool { return len(p.status()) > 0 })
	}
	p.disk.Inject("")
	p.dirty = append(p.dirty, strings.ReplaceAll(rule, "\n", ", "))
}

// cut lets files grow until the power fails at one of the next operations. The server then has a disk
// with what is left.
func (p *powered) cut(steps int) {
	p.t.Helper()
	var once sync.Once
	left, dir := p.rng.IntN(60), make(chan string, 1)
	var mu sync.Mutex
	p.disk.Before(func(faultfs.Op, string) {
		mu.Lock()
		defer mu.Unlock()
		if left--; left >= 0 {
			return
		}
		once.Do(func() {
			dir <- p.disk.CutPower(p.t, uint64(p.now))
			_ = p.c.Process.Kill()
		})
	})
	for range steps {
		p.now += stepSeconds
		if _, err := p.files.Write(p.now); err != nil {
			p.t.Fatal(err)
		}
		setClock(p.t, p.dir, p.now)
		time.Sleep(20 * time.Millisecond)
	}
	var from string
	select {
	case from = <-dir:
	case <-time.After(time.Second): // it has nothing to write
		once.Do(func() {
			dir <- p.disk.CutPower(p.t, uint64(p.now))
			_ = p.c.Process.Kill()
		})
		from = <-dir
	}
	_ = p.c.Wait() // it was killed
	p.disk.Before(nil)
	p.disk = faultfs.Mount(p.t)
	p.copyAndSync(from, p.disk.Dir)
}

// copyAndSync copies files to a disk, and syncs them.
func (p *powered) copyAndSync(from, to string) {
	p.t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		p.t.Fatal(err)
	}
	err := filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		if d.IsDir() && path != to {
			err = os.Chmod(path, 0o700)
		}
		return errors.Join(err, f.Sync(), f.Close())
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// end compares what is left with a server whose disk never failed.
func (p *powered) end() {
	t, state := p.t, filepath.Join(p.dir, stateDir)
	t.Helper()
	if err := os.RemoveAll(state); err != nil {
		t.Fatal(err)
	}
	p.copyAndSync(filepath.Join(p.disk.Dir, stateDir), state)
	if err := errors.Join(os.Chmod(state, 0o700), os.MkdirAll(filepath.Join(state, intakeDir), 0o700)); err != nil {
		t.Fatal(err)
	}
	p.settings.State = ""
	standing := once(t, p.dir, p.settings)
	p.hook.nextLife()
	reference := reread(t, p.world)
	same(t, "how things stand", strings.ReplaceAll(standing, p.dir, "DIR"), strings.ReplaceAll(reference.standing, reference.dir, "DIR"))
	same(t, "the events", eventsText(t, p.dir), eventsText(t, reference.dir))
	got, doubled := withoutDoubles(t, p.hook)
	same(t, "what was told", keysText(got), keysText(withoutMissedSuspects(reference.hook.told, got)))
	l, err := ledger.Open(context.Background(), filepath.Join(state, "ledger.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	commands, err := l.Commands(t.Context(), 1000)
	if err != nil || len(commands) != p.said || p.said == 0 {
		t.Errorf("%d of %d commands are left: %v, %+v", len(commands), p.said, err, commands)
	}
	t.Logf("%d power cuts, faults of the disk before them: %v; %d events, %d notifications, %d of them sent twice; %d commands",
		*cuts, p.dirty, strings.Count(eventsText(t, p.dir), "\nevent"), len(reference.hook.told), doubled, p.said)
}

// withoutMissedSuspects removes from a list the notifications of suspects about which got has nothing.
// If a suspect begins and ends while the server is down, or before a slow server has judged the steps in
// between, nobody is notified of it. Incidents stay in the list: they last longer.
func withoutMissedSuspects(list, got []note) []note {
	alert := func(n note) string {
		_, key, _ := strings.Cut(n.Key, ".")
		alert, _, _ := strings.Cut(key, ".")
		return alert
	}
	return slices.DeleteFunc(slices.Clone(list), func(n note) bool {
		return strings.HasPrefix(alert(n), "suspect-") && !slices.ContainsFunc(got, func(g note) bool { return alert(g) == alert(n) })
	})
}

// keysText returns the keys of notifications, in order: which alerts fired and were resolved. While the
// ledger cannot be written, the notifications of several alerts wait and come in another order, and a
// suspect that has become an incident meanwhile is told as one that has recovered.
func keysText(list []note) string {
	var keys []string
	for _, n := range list {
		_, key, _ := strings.Cut(n.Key, ".") // it begins with the name of the ledger
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return strings.Join(keys, "\n")
}

// eventsText returns the events of a ledger, without the documents of incidents, which have the
// commands of operators.
func eventsText(t *testing.T, dir string) string {
	t.Helper()
	text, _, _ := strings.Cut(ledgerText(t, dir), "\nincident")
	return text
}
