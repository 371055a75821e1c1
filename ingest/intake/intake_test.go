package intake

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/snappy"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite/remotewritetest"
	"github.com/limpet-storage/limpet/lab/faultfs"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestMain is also the process that tests kill.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LIMPET_INTAKE_CHILD"); dir != "" {
		child(dir)
		return
	}
	os.Exit(m.Run())
}

// nodeDisks returns the series of a server's disks at a time.
func nodeDisks(server string, t time.Time, ios uint64) (list []remotewritetest.Series) {
	add := func(name string, v float64, more ...pair) {
		labels := append([]pair{{Name: "__name__", Value: name}, {Name: "instance", Value: server + ":9100"}, {Name: "job", Value: "node"}}, more...)
		list = append(list, remotewritetest.Series{Labels: labels, Time: t.UnixMilli(), Value: v})
	}
	for _, device := range []string{"sda", "sdb", "sdc"} {
		for i, name := range []string{
			"reads_completed", "writes_completed", "read_bytes", "written_bytes", "read_time_seconds", "write_time_seconds",
			"io_time_seconds", "io_time_weighted_seconds",
		} {
			v := float64(0)
			if i == 0 {
				v = float64(ios)
			}
			add("node_disk_"+name+"_total", v, pair{Name: "device", Value: device})
		}
	}
	add("node_boot_time_seconds", 1_700_000_000)
	return list
}

// times returns the seconds of a server's records, and their I/Os.
func times(t testing.TB, dir, server string) (list []int64, ios []uint64) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, server+"-*.sa"))
	if len(paths) == 0 {
		return nil, nil
	}
	r, err := sysstat.OpenAll(paths)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if rec.Type != sysstat.Stats {
			continue
		}
		disks := rec.Disks(nil)
		if len(disks) != 3 {
			t.Errorf("%d disks at %d", len(disks), rec.Time)
		}
		list, ios = append(list, rec.Time), append(ios, disks[0].IOs)
	}
	for _, w := range r.Warnings() {
		t.Error(w)
	}
	return list, ios
}

// TestFullDisk: while the disk is full, requests get 503 and senders keep their
// samples. When there is room again all samples are accepted.
func TestFullDisk(t *testing.T) {
	f := faultfs.Mount(t)
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	now := begin
	var said []string
	in := opened(t, f.Dir, &now, func(o *Options) { o.Report = func(s string) { said = append(said, s) } })
	var waiting []time.Time
	step := func(full bool) {
		waiting = append(waiting, now)
		for len(waiting) > 0 {
			w := remotewritetest.Post(in.Handler(), 1, nodeDisks("fs1", waiting[0], uint64(waiting[0].Sub(begin).Seconds())+1))
			if full != (w.Code == http.StatusServiceUnavailable) {
				t.Fatalf("full %t: %d %s", full, w.Code, w.Body)
			}
			if w.Code != http.StatusNoContent {
				break
			}
			waiting = waiting[1:]
		}
		now = now.Add(15 * time.Second)
		in.closeScrapes()
	}
	for range 4 {
		step(false)
	}
	f.Inject("write *.sa: enospc")
	for range 40 { // ten minutes
		step(true)
	}
	if s := in.Status()[0]; s.Kind != Disk || !strings.Contains(s.Trouble, "free some space") {
		t.Errorf("%+v", s)
	}
	f.Inject("")
	in.closeScrapes()
	for range 4 {
		step(false)
	}
	got, _ := times(t, f.Dir, "fs1")
	for i, at := range got {
		if want := begin.Unix() + int64(15*(i+1)); at != want {
			t.Fatalf("record %d is of %d, not %d", i, at, want)
		}
	}
	if len(got) != 47 || len(waiting) > 0 {
		t.Errorf("%d records, %d scrapes wait at the sender", len(got), len(waiting))
	}
	if full := slices.IndexFunc(said, func(s string) bool { return strings.Contains(s, "no space left") }); full < 0 || len(said) > 4 {
		t.Errorf("%q", said)
	}
}

// child is an intake that serves at a port, which it prints, until it is
// killed.
func child(dir string) {
	o := DefaultOptions()
	o.Now = time.Now
	o.Exporter.Ahead = 1e6 * time.Hour // the times are invented
	o.Exporter.Wait = 100 * time.Millisecond
	in, err := New(dir, o)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	go func() { // as Run does, but sooner
		for range time.Tick(20 * time.Millisecond) {
			in.closeScrapes()
		}
	}()
	s := httptest.NewServer(in.Handler())
	fmt.Println(s.URL)
	select {}
}

// spawn starts such a process.
func spawn(t *testing.T, dir string) (url string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LIMPET_INTAKE_CHILD="+dir)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() { cmd.Process.Kill(); cmd.Wait() })
	t.Cleanup(kill)
	if _, err := fmt.Fscanln(out, &url); err != nil || !strings.HasPrefix(url, "http://") {
		t.Fatalf("%q: %v", url, err)
	}
	return url, kill
}

// TestKilled: kill -9 costs at most the scrape in flight. No record is
// repeated, out of order, or has counters that were never sent.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	random := rand.New(rand.NewPCG(3, 3))
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	scrape := func(url string, piece int) bool {
		at = at.Add(15 * time.Second)
		return pushInPieces(url, nodeDisks("fs1", at, uint64(at.Unix())), piece)
	}
	url, kill := spawn(t, dir)
	for records := []int64(nil); len(records) < 2; records, _ = times(t, dir, "fs1") {
		scrape(url, 25) // until the server is known
		time.Sleep(50 * time.Millisecond)
	}
	kill()
	first := at.Unix()
	const kills, scrapes = 10, 40
	sent := 0
	for range kills {
		url, kill := spawn(t, dir)
		timer := time.AfterFunc(time.Duration(random.IntN(100))*time.Millisecond, kill)
		for i := 0; i < scrapes && scrape(url, 1+random.IntN(25)); i++ {
			sent++
		}
		timer.Stop()
		kill()
	}
	url, kill = spawn(t, dir)
	scrape(url, 25)
	kill()
	seconds, ios := times(t, dir, "fs1")
	lost := 0
	for i := range seconds {
		if i > 0 && seconds[i] <= seconds[i-1] {
			t.Errorf("record %d is of %d, the one before of %d", i, seconds[i], seconds[i-1])
		}
		if ios[i] != uint64(seconds[i]) {
			t.Errorf("the record of %d shows %d", seconds[i], ios[i])
		}
		if i > 0 && seconds[i] > first {
			lost += int(seconds[i]-seconds[i-1])/15 - 1
		}
	}
	t.Logf("%d scrapes were answered with success in spite of %d kills: %d records, %d scrapes lost", sent, kills, len(seconds), lost)
	if lost > kills || at.Unix()-seconds[len(seconds)-1] != 0 || sent == 0 {
		t.Errorf("%d lost by %d kills; the last record is of %d, the last scrape of %d", lost, kills, seconds[len(seconds)-1], at.Unix())
	}
}

// TestSentAgain: a scrape that is sent again, because its answer was lost with
// the process, is in the files once.
func TestSentAgain(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	in := opened(t, dir, &now, nil)
	send := func(at time.Time) {
		t.Helper()
		if w := remotewritetest.Post(in.Handler(), 1, nodeDisks("fs1", at, uint64(at.Unix()))); w.Code != http.StatusNoContent {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	for range 4 {
		send(now)
		now = now.Add(15 * time.Second)
		in.closeScrapes()
	}
	before, _ := times(t, dir, "fs1")
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	in = opened(t, dir, &now, nil)
	send(now.Add(-15 * time.Second))
	send(now)
	after, _ := times(t, dir, "fs1")
	if want := slices.Concat(before, []int64{now.Unix()}); !slices.Equal(after, want) {
		t.Errorf("the files have records of %v, not of %v", after, want)
	}
}

// pushInPieces reports whether all requests succeeded.
func pushInPieces(url string, all []remotewritetest.Series, size int) bool {
	for piece := range slices.Chunk(all, size) {
		r, _ := http.NewRequest(http.MethodPost, url, strings.NewReader(string(snappy.Encode(nil, remotewritetest.Version1(piece)))))
		r.Header.Set("Content-Type", remotewritetest.ContentType(1))
		r.Header.Set("Content-Encoding", "snappy")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return false
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNoContent {
			return false
		}
	}
	return true
}

// TestAtOnce: many senders of many servers at the same time, with requests for
// the status, give every record.
func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	now := begin
	in := opened(t, dir, &now, nil)
	const servers, scrapes = 8, 10
	send := func(i int) {
		var all sync.WaitGroup
		for server := range servers {
			list := nodeDisks(fmt.Sprintf("fs%d", server), begin.Add(time.Duration(i)*15*time.Second), uint64(i+1))
			for half := range slices.Chunk(list, 13) {
				all.Go(func() {
					if w := remotewritetest.Post(in.Handler(), 2, half); w.Code != http.StatusNoContent {
						t.Errorf("%d %s", w.Code, w.Body)
					}
				})
			}
		}
		all.Go(func() { in.Status(); in.closeScrapes(); in.sync() })
		all.Wait()
	}
	send(0)
	now = now.Add(time.Minute)
	in.closeScrapes() // all are known
	for i := 1; i <= scrapes; i++ {
		send(i)
	}
	in.Close()
	for server := range servers {
		if got, _ := times(t, dir, fmt.Sprintf("fs%d", server)); len(got) != scrapes {
			t.Errorf("fs%d has %d records", server, len(got))
		}
	}
}

// TestManyNamesOfOneToken: one token sends the names of thousands of servers.
// Servers that came before stay, servers of other tokens are accepted, also after
// a restart, and each name that is not kept is answered 400 and is a trouble.
func TestManyNamesOfOneToken(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	token := "prometheus"
	options := func(o *Options) {
		o.Exporter.MaxServers = 64
		o.Remote.Sender = func(*http.Request) exporter.Sender { return exporter.Sender{Name: token, Address: "10.0.0." + token} }
	}
	in := opened(t, dir, &now, options)
	push := func(by, server string, ios int) int {
		token = by
		return remotewritetest.Post(in.Handler(), 1, nodeDisks(server, now, uint64(ios))).Code
	}
	refused := 0
	for round := range 4 {
		for i := range 8 {
			if code := push("genuine", fmt.Sprint("fs", i), round+1); code != 204 {
				t.Errorf("fs%d is answered %d", i, code)
			}
		}
		for i := range 150 {
			code := push("evil", fmt.Sprint("evil", round*1000+i), round+1)
			if code == 400 {
				refused++
			} else if code != 204 {
				t.Errorf("evil%d is answered %d", i, code)
			}
		}
		now = now.Add(15 * time.Second)
		in.closeScrapes()
	}
	if code := push("late", "fs100", 1); code != 204 {
		t.Errorf("a new server of another token is answered %d", code)
	}
	if refused != 600-16 {
		t.Errorf("%d requests were refused", refused)
	}
	said := false
	for _, s := range in.Status() {
		said = said || s.Kind == Push && s.Name == "evil" && strings.Contains(s.Trouble, "the limit for one sender")
		if strings.HasPrefix(s.Name, "fs") && s.Trouble != "" {
			t.Errorf("%+v", s)
		}
	}
	if !said {
		t.Errorf("%+v", in.Status())
	}
	in.Close()
	in = opened(t, dir, &now, options) // its evil names come first
	for i := range 150 {
		push("evil", fmt.Sprint("again", i), 9)
	}
	for i := range 8 {
		if code := push("genuine", fmt.Sprint("fs", i), 9); code != 204 {
			t.Errorf("fs%d is answered %d after a restart", i, code)
		}
	}
}

// TestSenderAhead: samples of a sender whose clock is 90 s ahead are accepted.
// Those of a sender that is a day ahead are refused, and others are not
// affected.
func TestSenderAhead(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	in := opened(t, dir, &now, nil)
	for i := range 6 {
		remotewritetest.Post(in.Handler(), 1, nodeDisks("fs1", now.Add(90*time.Second), uint64(i+1)))
		remotewritetest.Post(in.Handler(), 1, nodeDisks("fs2", now.Add(24*time.Hour), uint64(i+1)))
		remotewritetest.Post(in.Handler(), 1, nodeDisks("fs2", now, uint64(i+1)))
		now = now.Add(15 * time.Second)
		in.closeScrapes()
	}
	for _, server := range []string{"fs1", "fs2"} {
		if got, _ := times(t, dir, server); len(got) != 5 {
			t.Errorf("%s has %d records", server, len(got))
		}
	}
	for _, s := range in.Status() {
		if s.Name == "fs2" && !strings.Contains(s.Trouble, "in the future") {
			t.Errorf("%+v", s)
		}
	}
}

// BenchmarkPush measures a scrape of a server with 72 disks, from the request
// to the record in its file.
func BenchmarkPush(b *testing.B) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	in := opened(b, b.TempDir(), &now, func(o *Options) { o.Exporter.Wait = time.Second })
	var list []remotewritetest.Series
	for i := range 24 {
		for _, s := range nodeDisks("fs1", now, 1)[:24] { // three disks
			labels := slices.Clone(s.Labels)
			labels[3].Value = fmt.Sprint(labels[3].Value, i)
			list = append(list, remotewritetest.Series{Labels: labels, Value: 5})
		}
	}
	var body []byte
	for i := 0; b.Loop(); i++ {
		now = now.Add(15 * time.Second)
		for k := range list {
			list[k].Time = now.UnixMilli()
		}
		b.StopTimer()
		body = snappy.Encode(body[:cap(body)], remotewritetest.Version1(list))
		b.StartTimer()
		w := httptest.NewRecorder()
		in.Handler().ServeHTTP(w, remotewritetest.Request(1, body))
		if i == 0 {
			now = now.Add(2 * time.Second)
			in.closeScrapes()
		}
	}
	b.ReportMetric(float64(len(list))*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
	if got := in.Status()[1].Records; got < uint64(b.N)-1 {
		b.Errorf("%d records", got)
	}
}
