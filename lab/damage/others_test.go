package damage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/record"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/report/outcome"
)

// arrayState is the members of an array of two data drives, P and Q.
var arrayState = state{name: "array", write: writeArray, open: openArray, boundaries: boundariesOfArray}

const (
	arrayMembers = 4
	memberBytes  = 128 << 10
)

func memberPath(dir string, i int) string { return filepath.Join(dir, fmt.Sprint("member", i)) }

func writeArray(t *testing.T, d dirs) {
	dir := t.TempDir()
	var members []raid.Member
	for i := range arrayMembers {
		m, err := member.CreateFile(memberPath(dir, i), memberBytes)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, m)
	}
	o := raid.DefaultCreateOptions()
	o.Journal = 4
	if _, err := raid.Create(members, o); err != nil {
		t.Fatal(err)
	}
	a, err := raid.Open(members, raid.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	content := make([]byte, a.Size())
	for i := range content {
		content[i] = byte(i/64) ^ byte(i/raid.ChunkSize*37) // no two chunks are alike
	}
	write := func(from, to int64) {
		for at := from; at < to; at += 3 * raid.ChunkSize {
			part := content[at:min(at+3*raid.ChunkSize, to)]
			if _, err := a.WriteAt(part, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(0, a.Size()/2)
	copyState(t, dir, d.older)
	write(a.Size()/4, a.Size())
	copyState(t, dir, d.killed)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	copyState(t, dir, d.clean)
}

// openArray opens an array. If a member is refused, it opens the array without this member, as the
// message advises.
func openArray(t *testing.T, dir string) (a answer) {
	members := make([]raid.Member, arrayMembers)
	var said strings.Builder
	leave := func() {
		for i, m := range members {
			if m != nil {
				m.Close()
				members[i] = nil
			}
		}
	}
	without := -1
	for i := range members {
		m, err := member.OpenFile(memberPath(dir, i))
		if err != nil {
			fmt.Fprintf(&said, "%v\n", err)
			without = i
			continue
		}
		members[i] = m
	}
	var mu sync.Mutex
	o := raid.DefaultOptions()
	o.Report = func(err error) {
		mu.Lock()
		fmt.Fprintf(&said, "%v\n", err)
		mu.Unlock()
	}
	o.Degraded = without >= 0
	array, err := raid.Open(members, o)
	var refused *raid.MemberError
	if errors.As(err, &refused) && without < 0 {
		fmt.Fprintf(&said, "%v\n", err)
		leave()
		for i := range members {
			if i == refused.Place {
				continue
			}
			if members[i], err = member.OpenFile(memberPath(dir, i)); err != nil {
				t.Fatal(err)
			}
		}
		o.Degraded = true
		array, err = raid.Open(members, o)
	}
	if err != nil {
		leave()
		return answer{says: said.String() + err.Error()}
	}
	defer array.Close()
	chunk := make([]byte, raid.ChunkSize)
	for at := int64(0); at < array.Size(); at += raid.ChunkSize {
		if _, err := array.ReadAt(chunk, at); err != nil {
			fmt.Fprintf(&said, "%v\n", err)
			continue
		}
		a.has = append(a.has, fmt.Sprintf("%d: %x", at, chunk[:64]))
	}
	mu.Lock()
	defer mu.Unlock()
	a.starts, a.says = true, said.String()
	return a
}

func boundariesOfArray(_ string, data []byte) (at []int64) {
	for n := raid.ChunkSize; n < len(data); n += raid.ChunkSize {
		at = append(at, int64(n))
	}
	return at
}

// recorderState is the directory of a recorder.
var recorderState = state{name: "recorder", write: writeRecorder, open: openRecorder, boundaries: func(string, []byte) []int64 { return nil }, unprotected: func(path, _ string) bool { return isActivity(path) }}

// machine counts its samples in the I/Os of two disks.
type machine struct {
	mu    sync.Mutex
	taken uint64
	ready chan struct{} // closed when enough samples were taken
	most  uint64
}

func (m *machine) Late(time.Duration) {}

func (m *machine) Sample(s *sysstat.Sample) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.taken++
	s.Disks = append(s.Disks[:0], sysstat.Disk{Major: 8, Minor: 0, IOs: 1000 + m.taken}, sysstat.Disk{Major: 8, Minor: 16, IOs: 2000 + m.taken})
	if m.taken == m.most {
		close(m.ready)
	}
	return nil
}

func (m *machine) Uptime() (uint64, error) { return 360_000, nil }

func (m *machine) Inventory() []string { return []string{"dev 8:0=sda", "dev 8:16=sdb"} }

// wall is a clock that goes a second in each hundredth.
type wall struct {
	began time.Time
	start int64
}

func (w wall) Now() (time.Time, time.Duration) {
	passed := time.Since(w.began)
	return time.Unix(w.start, 0).Add(passed).UTC(), passed
}

// runRecorder records some samples. The function does runs before the recorder stops.
func runRecorder(t *testing.T, dir string, start int64, log io.Writer, do func()) error {
	t.Helper()
	m := &machine{ready: make(chan struct{}), most: 12}
	o := record.DefaultOptions()
	o.Dir, o.Interval, o.Compress, o.File.Hostname = dir, 5*time.Millisecond, record.Plain, "fs1"
	o.Clock, o.Log = wall{time.Now(), start}, slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	r, err := record.New(o, m)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	select {
	case err := <-ended:
		stop()
		return err
	case <-m.ready:
	}
	do()
	stop()
	return <-ended
}

func writeRecorder(t *testing.T, d dirs) {
	dir := t.TempDir()
	for i, do := range []func(){func() { copyState(t, dir, d.older) }, func() { copyState(t, dir, d.killed) }} {
		if err := runRecorder(t, dir, began+int64(i)*60, io.Discard, do); err != nil {
			t.Fatal(err)
		}
	}
	copyState(t, dir, d.clean)
}

// openRecorder starts a recorder, and reads what was recorded before. Nothing acknowledges the
// samples of a recorder, and the format of its files has no checksums. So a file that is removed or
// cut off is not noticed. The other files must stay whole, and the recorder must record.
func openRecorder(t *testing.T, dir string) (a answer) {
	has := samples(dir, &a)
	var log bytes.Buffer
	if err := runRecorder(t, dir, began+120, &log, func() {}); err != nil {
		return answer{says: err.Error()}
	}
	a.starts = true
	a.says += log.String()
	a.has = append(slices.Clone(has), "the recorder records")
	var none answer
	if after := samples(dir, &none); len(after) <= len(has) {
		a.has = has
		a.says += none.says
	}
	return a
}

// samples reads the samples of the first two minutes.
func samples(dir string, a *answer) (has []string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.sa"))
	for _, path := range files {
		r, err := sysstat.Open(path)
		if err != nil {
			a.says += err.Error() + "\n"
			continue
		}
		for {
			rec, err := r.Next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					a.says += err.Error() + "\n"
				}
				break
			}
			if rec.Type == sysstat.Stats {
				has = append(has, fmt.Sprintf("%s: %v", filepath.Base(path), rec.Disks(nil)))
			}
		}
		for _, w := range r.Warnings() {
			a.says += w.String() + "\n"
		}
		r.Close()
	}
	return has
}

// changesState is the file of diagnose --changes.
var changesState = state{name: "changes", write: writeChanges, open: openChanges, boundaries: func(_ string, data []byte) []int64 {
	return []int64{int64(bytes.IndexByte(data, '\n')), int64(bytes.IndexByte(data, '\n')) + 1}
}}

const changesName = "told"

func writeChanges(t *testing.T, d dirs) {
	for dir, to := range map[string]int64{d.older: began, d.killed: began + 3600, d.clean: began + 3600} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		m, err := outcome.ReadMemory(filepath.Join(dir, changesName))
		if err == nil {
			err = m.Write(t.Context(), filepath.Join(dir, changesName), &engine.Summary{To: to}, outcome.Clean)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// openChanges reads the file. Nothing in it is acknowledged to anybody: without the file the next run
// reports everything as new. So the only loss would be a run that stays silent, because it takes
// damaged content for what was told.
func openChanges(_ *testing.T, dir string) answer {
	if _, err := outcome.ReadMemory(filepath.Join(dir, changesName)); err != nil {
		return answer{says: err.Error()}
	}
	return answer{starts: true, has: []string{"everything that is new is reported"}}
}
