package torture

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/server/serve"
)

var (
	kills = flag.Int("kills", 5, "times that the server is killed")
	hours = flag.Int("hours", 1, "of files that grow meanwhile")
	harms = flag.Int("harms", 2, "every how many kills a file is damaged; 0: never")
)

// TestKilledWithFilesPushAndPull: whenever a server is killed, its incidents, their IDs
// and what was told are those of a server that was never killed. A kill costs at most one
// scrape of those who push and one of those who are pulled. Nobody who acknowledged is
// told again, unless the kill came between the acknowledgement and the note of it.
func TestKilledWithFilesPushAndPull(t *testing.T) {
	w := newWorld(t, *hours, uint64(*kills))
	begin(t, w)
	killAgainAndAgain(t, w)
	finish(t, w)

	killed := w.dir
	standing := once(t, killed, w.settings)
	w.hook.nextLife()
	reference := reread(t, w)
	same(t, "how things stand", strings.ReplaceAll(standing, killed, "DIR"), strings.ReplaceAll(reference.standing, reference.dir, "DIR"))
	same(t, "the ledger", ledgerText(t, killed), ledgerText(t, reference.dir))
	doubled := told(t, w.hook, reference.hook)
	pushed := lost(t, filepath.Join(killed, stateDir, intakeDir), pushedServer, w.sender.sent)
	pulled := lost(t, filepath.Join(killed, stateDir, intakeDir), pulledServer, w.endpoint.times())
	if pushed > *kills || pulled > *kills {
		t.Errorf("%d kills cost %d scrapes of who pushes and %d of who is pulled", *kills, pushed, pulled)
	}
	t.Logf("%d kills over %d steps: %d events, %d notifications, %d of them sent twice; %d of %d pushed and %d of %d pulled scrapes were lost",
		*kills, len(w.sender.sent), strings.Count(ledgerText(t, killed), "\nevent"), len(reference.hook.told), doubled,
		pushed, len(w.sender.sent), pulled, len(w.endpoint.times()))
}

// begin waits until the machines that leave no files are known: their files are there
// before those that grow.
func begin(t *testing.T, w *world) {
	t.Helper()
	c := start(t, w.dir, nil)
	for range ahead/stepSeconds - 1 {
		if !w.step() {
			t.Fatal("the server does not begin")
		}
	}
	kill(t, c)
}

// killAgainAndAgain kills a server at random: one time in four as it starts, else within
// a step.
func killAgainAndAgain(t *testing.T, w *world) {
	t.Helper()
	steps := int(w.end-w.now) / stepSeconds
	perLife := max(1, steps*4/3 / *kills)
	for n := range *kills {
		if *harms > 0 && n%*harms == *harms-1 {
			damage(t, w)
		}
		w.hook.nextLife()
		w.isDead.Store(false)
		c := start(t, w.dir, nil)
		if w.rng.IntN(4) == 0 {
			sleepUpTo(w.rng, 300*time.Millisecond)
			kill(t, c)
			continue
		}
		for range w.rng.IntN(2*perLife + 1) {
			w.step()
		}
		stepped := make(chan struct{})
		go func() { w.step(); close(stepped) }()
		sleepUpTo(w.rng, 60*time.Millisecond)
		kill(t, c)
		w.isDead.Store(true)
		<-stepped
	}
}

// damage cuts a file at a random byte, flips one of its bits, or removes it: the last log or the
// last snapshot of the journal, the last file of a tier of the history, or one of the files that
// show what the ledger and the intake had.
func damage(t *testing.T, w *world) {
	t.Helper()
	kinds := []string{"journal/*.log", "journal/*.snapshot", "history/*/*.parquet", "ledger.position", "ledger.sqlite-sum", "intake/.intake.files"}
	files, err := filepath.Glob(filepath.Join(w.dir, stateDir, kinds[w.rng.IntN(len(kinds))]))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		return // the servers since the last damage were killed as they started
	}
	path := files[len(files)-1]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := w.rng.IntN(len(data))
	switch w.rng.IntN(3) {
	case 0:
		err = os.Truncate(path, int64(at))
	case 1:
		data[at] ^= 1 << w.rng.IntN(8)
		err = os.WriteFile(path, data, 0o600)
	default:
		err = os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func sleepUpTo(rng *rand.Rand, longest time.Duration) {
	time.Sleep(time.Duration(rng.Int64N(int64(longest))))
}

// finish lets a server live until all was sent.
func finish(t *testing.T, w *world) {
	t.Helper()
	w.hook.nextLife()
	w.isDead.Store(false)
	c := start(t, w.dir, nil)
	for w.step() {
	}
	kill(t, c)
}

// once reads what is left, tells it, and says how things stand.
func once(t *testing.T, dir string, s settings) string {
	t.Helper()
	s.Endpoint = ""
	c := configured(dir, s)
	c.Push = false
	c.Directories = append(c.Directories, filepath.Join(dir, stateDir, intakeDir))
	var out strings.Builder
	if err := serve.Once(t.Context(), c, options(dir), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A run that was never killed.
type unharmed struct {
	dir, standing string
	hook          *hook
}

// reread has a server that was never killed read the same files.
func reread(t *testing.T, w *world) unharmed {
	t.Helper()
	r := unharmed{dir: t.TempDir(), hook: newHook(t)}
	if err := os.CopyFS(r.dir, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(r.dir, stateDir)
	for _, name := range []string{"journal", "history", "ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"} {
		if err := os.RemoveAll(filepath.Join(state, name)); err != nil {
			t.Fatal(err)
		}
	}
	s := w.settings
	s.Hook = r.hook.URL
	r.standing = once(t, r.dir, s)
	return r
}

// same shows the first line that differs.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Errorf("%s differs in line %d of %d and %d:\n%.400s\nwant\n%.400s", what, i, len(g), len(w), strings.Join(g[min(i, len(g)):], "\n"), strings.Join(w[min(i, len(w)):], "\n"))
			return
		}
	}
}

// ledgerText is all that a ledger says of incidents.
func ledgerText(t *testing.T, dir string) string {
	t.Helper()
	ctx := context.Background()
	l, err := ledger.Open(ctx, filepath.Join(dir, stateDir, "ledger.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	events, err := l.Events(ctx, 0, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	incidents, _, err := l.Incidents(ctx, ledger.Query{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, e := range events {
		fmt.Fprintf(&out, "\nevent %d at %d: %s %s", e.Seq, e.Time, e.Change, e.Sentence)
	}
	for _, in := range incidents {
		fmt.Fprintf(&out, "\nincident %d %s %s %s", in.Number, in.ID, in.Phase, in.Document)
	}
	return out.String()
}

// told holds what a receiver was told against what it ought to be told, and returns how
// much of it came twice. Twice comes only what was the last of a process that was killed.
func told(t *testing.T, got, want *hook) (doubled int) {
	t.Helper()
	once, doubled := withoutDoubles(t, got)
	same(t, "what was told", notesText(t, once), notesText(t, want.told))
	return doubled
}

// withoutDoubles returns what a receiver was told without what came twice, and how much came twice.
func withoutDoubles(t *testing.T, got *hook) (once []note, doubled int) {
	t.Helper()
	for i, n := range got.told {
		at := slices.IndexFunc(once, func(o note) bool { return o.Key == n.Key })
		if at < 0 {
			once = append(once, n)
			continue
		}
		doubled++
		if i == 0 || got.told[i-1].Key != n.Key || got.told[i-1].life == n.life {
			t.Errorf("%s was acknowledged and told again: %s", n.Key, n.Headline)
		}
	}
	return once, doubled
}

func notesText(t *testing.T, list []note) string {
	t.Helper()
	var lines []string
	for _, n := range list {
		_, n.Key, _ = strings.Cut(n.Key, ".") // it begins with the name of the ledger
		text, err := json.Marshal(n.Notification)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	return strings.Join(lines, "\n")
}

// lost counts the scrapes that are not in the files of a machine, from its first record
// on. What is there shows the counters of its time.
func lost(t *testing.T, dir, server string, scrapes []int64) (n int) {
	t.Helper()
	kept := records(t, dir, server)
	if len(kept) == 0 {
		t.Fatalf("%s has no records", server)
	}
	first := slices.Min(scrapes)
	for first <= slices.Max(scrapes) && !slices.Contains(kept, first) {
		first += stepSeconds
	}
	for _, at := range scrapes {
		if at >= first && !slices.Contains(kept, at) {
			n++
		}
	}
	return n
}

func records(t *testing.T, dir, server string) (times []int64) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, server+"-*.sa"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files of %s: %v", server, err)
	}
	r, err := sysstat.OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return times
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type != sysstat.Stats {
			continue
		}
		if len(times) > 0 && rec.Time <= times[len(times)-1] {
			t.Errorf("%s: a record of %d follows one of %d", server, rec.Time, times[len(times)-1])
		}
		// The clock of who pulls may go on between the question and the answer.
		disks := rec.Disks(nil)
		if len(disks) != manyDrives || max(disks[0].IOs, reads(rec.Time))-min(disks[0].IOs, reads(rec.Time)) > reads(begins+stepSeconds) {
			t.Errorf("%s: the record of %d shows what was not told then: %d drives, %d reads", server, rec.Time, len(disks), disks[0].IOs)
		}
		times = append(times, rec.Time)
	}
}
