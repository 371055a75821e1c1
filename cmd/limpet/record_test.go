//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/record"
	"github.com/limpet-storage/limpet/record/kernel"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/record/tcpstat"
)

// An actor is a machine whose kernel counts again what a file says: it writes
// the proc of each second, and has it read as any kernel's is. Connections,
// which no file of a kernel tells of, are handed on as they are.
type actor struct {
	*kernel.Kernel
	root   string
	script *sysstat.Reader
	next   *sysstat.Record // sample
	lines  []string        // of the inventory
}

// enact makes the machine of a file.
func enact(t *testing.T, path string) *actor {
	t.Helper()
	a := &actor{root: t.TempDir()}
	var err error
	if a.script, err = sysstat.Open(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.script.Close() })
	if err := a.turn(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.build(), a.play()); err != nil {
		t.Fatal(err)
	}
	if a.Kernel, err = kernel.Open(kernel.Options{Root: a.root}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// build makes sys, which stays the same.
func (a *actor) build() (err error) {
	for _, d := range a.script.Inventory().Devices() {
		err = errors.Join(err, a.put("sys/block/"+d.Name+"/removable", "0\n"))
	}
	for _, n := range a.next.Interfaces(nil) {
		duplex := []string{"unknown", "half", "full"}[n.Duplex]
		err = errors.Join(err, a.put("sys/class/net/"+n.Name+"/duplex", duplex), a.put("sys/class/net/"+n.Name+"/speed", fmt.Sprint(n.SpeedMbit)))
	}
	return err
}

// turn goes to the next sample of the script.
func (a *actor) turn() (err error) {
	for {
		if a.next, err = a.script.Next(); err != nil || a.next.Type == sysstat.Stats {
			return err
		}
		a.lines = append(a.lines, a.next.Comment())
	}
}

// play makes proc what it was at the sample. Each disk has done one I/O more,
// since one that has done none is not recorded.
func (a *actor) play() error {
	var stat, disks, nics strings.Builder
	for i, c := range a.next.CPUs(nil) {
		name := "cpu"
		if i > 0 {
			name += fmt.Sprint(i - 1)
		}
		fmt.Fprintln(&stat, name, c.User, c.Nice, c.System, c.Idle, c.IOWait, c.IRQ, c.SoftIRQ, c.Steal, c.Guest, c.GuestNice)
	}
	for _, d := range a.next.Disks(nil) {
		known, _ := a.script.Inventory().Device(d.Major, d.Minor)
		fmt.Fprintln(&disks, d.Major, d.Minor, known.Name, d.IOs+1, 0, d.ReadSectors, d.ReadTicks, 0, 0, d.WriteSectors, d.WriteTicks, 0, d.BusyTicks, d.QueueTicks)
	}
	for i, n := range a.next.Interfaces(nil) {
		e := a.next.InterfaceErrors(nil)[i]
		fmt.Fprintf(&nics, "%s: %d %d %d %d %d %d %d %d ", n.Name, n.RxBytes, n.RxPackets, e.RxErrors, e.RxDropped, e.RxFIFO, e.RxFrame, n.RxCompressed, n.Multicast)
		fmt.Fprintln(&nics, n.TxBytes, n.TxPackets, e.TxErrors, e.TxDropped, e.TxFIFO, e.Collisions, e.TxCarrier, n.TxCompressed)
	}
	tcp, _ := a.next.TCP()
	errs, _ := a.next.TCPErrors()
	snmp := fmt.Sprintln("Tcp: 1 200 120000 -1", tcp.ActiveOpens, tcp.PassiveOpens, errs.AttemptFails, errs.EstabResets, 0, tcp.InSegs, tcp.OutSegs, errs.RetransSegs, errs.InErrs, errs.OutRsts, 0)
	uptime := fmt.Sprintf("%d.%02d 0.00\n", a.next.Uptime/100, a.next.Uptime%100)
	for name, text := range map[string]string{"stat": stat.String(), "diskstats": disks.String(), "net/dev": nics.String(), "net/snmp": snmp, "uptime": uptime} {
		if err := a.put("proc/"+name, text); err != nil {
			return err
		}
	}
	return nil
}

// put sets the text of a file, which whoever has it open sees.
func (a *actor) put(name, text string) error {
	path := filepath.Join(a.root, name)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if os.IsNotExist(err) {
		if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			f, err = os.Create(path)
		}
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteAt([]byte(text), 0)
	return errors.Join(err, f.Truncate(int64(len(text))))
}

// Sample is what the kernel says, and is asked for once a second.
func (a *actor) Late(time.Duration) {}

func (a *actor) Sample(s *sysstat.Sample) error {
	err := a.Kernel.Sample(s)
	items, _, _ := a.next.Items(tcpstat.ID)
	s.Custom = [][]byte{bytes.Clone(items)}
	if err != nil {
		return err
	}
	if err := a.turn(); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	return a.play()
}

// Inventory is the one of the file.
func (a *actor) Inventory() []string { return a.lines }

// A wall is a clock over the time that passes for sleepers.
type wall struct{ began, shows time.Time }

func (w wall) Now() (time.Time, time.Duration) {
	passed := time.Since(w.began)
	return w.shows.Add(passed), passed
}

// recordAgain records the machine of a file into a directory.
func recordAgain(t *testing.T, path, dir string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		a := enact(t, path)
		o, h := record.DefaultOptions(), a.script.Header()
		o.Dir, o.Sync, o.Compress = dir, time.Hour, record.Plain
		o.File.Hostname, o.File.CPUs = h.Hostname, h.CPUs
		o.File.Custom = []sysstat.CustomActivity{{ID: tcpstat.ID, Size: tcpstat.Size}}
		o.Clock = wall{time.Now(), time.Unix(a.next.Time, 0).UTC().Add(-time.Second / 2)}
		r, err := record.New(o, a)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), lasting(t, path))
		defer cancel()
		if err := r.Run(ctx); err != nil {
			t.Fatal(err)
		}
	})
}

// lasting is as long as the samples of a file take.
func lasting(t *testing.T, path string) time.Duration {
	t.Helper()
	r, err := sysstat.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	samples := 0
	for rec, err := r.Next(); err == nil; rec, err = r.Next() {
		if rec.Type == sysstat.Stats {
			samples++
		}
	}
	return time.Duration(samples) * time.Second
}

// said is what a command prints.
func said(t *testing.T, args ...string) string {
	t.Helper()
	var out, trouble bytes.Buffer
	if code := run(t.Context(), args, strings.NewReader(""), &out, &trouble); code != 0 || trouble.Len() > 0 {
		t.Fatalf("limpet %q: exit %d, %s", args, code, trouble.String())
	}
	return out.String()
}

// TestRecorded has the recorder record a cluster whose second server loses what
// it sends, and the diagnosis find that server by its connections. What was
// recorded is what happened, to the byte of what is printed of it.
func TestRecorded(t *testing.T) {
	made, recorded := t.TempDir(), t.TempDir()
	said(t, "simulate", "testbench", "--cluster", "lustre-2/4", "--workload", "ddr", "--fault", "send-pktloss", "--server", "2",
		"--start", "2009-09-01T12:00:00Z", "--dir", made)
	files, err := filepath.Glob(filepath.Join(made, "activity", "*.sa"))
	if err != nil || len(files) != 6 {
		t.Fatalf("files %q, error %v", files, err)
	}
	for _, f := range files {
		recordAgain(t, f, recorded)
		again := filepath.Join(recorded, strings.Replace(filepath.Base(f), "T120000Z", "T115959Z", 1))
		for _, report := range []string{"--disk", "--dev", "--edev", "--tcp", "--etcp", "--cpu", "--connections", "--inventory"} {
			if got, want := said(t, "dump", report, again), said(t, "dump", report, f); got != want {
				t.Errorf("%s %s: got\n%.500s\nwant\n%.500s", filepath.Base(f), report, got, want)
			}
		}
	}
	diagnosis := said(t, "diagnose", "--servers", recorded)
	if want := said(t, "diagnose", "--servers", filepath.Join(made, "activity")); diagnosis != want {
		t.Errorf("got\n%s\nwant\n%s", diagnosis, want)
	}
	for _, want := range []string{"  server ios2: packet loss, ", "\n    - retr_out of ios2: "} {
		if !strings.Contains(diagnosis, want) {
			t.Errorf("%q is not in\n%s", want, diagnosis)
		}
	}
}
