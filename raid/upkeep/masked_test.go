package upkeep

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
	"github.com/limpet-storage/limpet/raid/nbd"
	"github.com/limpet-storage/limpet/raid/nbd/nbdtest"
	"github.com/limpet-storage/limpet/raid/policy"
)

var (
	maskedFor = flag.Duration("masked.for", 0, "how long TestMaskedTable measures (default: not at all)")
	maskedDir = flag.String("masked.dir", "", "directory of the members' files (default: a temporary one)")
)

// A paced member is a file that takes as long for an I/O as a disk with an arm and a platter,
// a few times faster: it serves one I/O after the other, each in 1.5 to 4.5 ms, and slow times
// that while it limps. The delay holds up its queue, as in front of a drive.
type paced struct {
	raid.Member
	slow  *atomic.Int64 // 1: as the others
	reads atomic.Int64

	mu   sync.Mutex
	dice *rand.Rand
	free time.Time // when the I/O before ends
}

const (
	shortestIO = 1500 * time.Microsecond
	longestIO  = 4500 * time.Microsecond
)

func (p *paced) wait() {
	p.mu.Lock()
	service := shortestIO + time.Duration(p.dice.Float64()*float64(longestIO-shortestIO))
	service *= time.Duration(p.slow.Load())
	if now := time.Now(); p.free.Before(now) {
		p.free = now
	}
	p.free = p.free.Add(service)
	end := p.free
	p.mu.Unlock()
	time.Sleep(time.Until(end))
}

func (p *paced) ReadAt(b []byte, off int64) (int, error) {
	p.reads.Add(1)
	n, err := p.Member.ReadAt(b, off)
	p.wait()
	return n, err
}

func (p *paced) ReadVector(bufs [][]byte, off int64) error {
	p.reads.Add(1)
	err := p.Member.ReadVector(bufs, off)
	p.wait()
	return err
}

func (p *paced) WriteAt(b []byte, off int64) (int, error) {
	n, err := p.Member.WriteAt(b, off)
	p.wait()
	return n, err
}

const (
	benchData    = 8
	benchStripe  = benchData * raid.ChunkSize
	limping      = 3 // the member that limps
	timesSlower  = 10
	benchReaders = 2 // clients at once
)

// A maskedBench is an array of files with a control socket, whose reads by several policies are
// served over NBD.
type maskedBench struct {
	t       *testing.T
	array   *raid.Array
	keeper  *Keeper
	control *Client
	members []*paced
	slow    *atomic.Int64 // of the member that limps
	heard   said
	held    []byte
	readers map[string]*raid.Reader
	clients map[string][]*nbdtest.Client
}

// reading is an NBD device of which only reads matter.
type reading struct {
	*raid.Array
	reader *raid.Reader
}

func (r reading) ReadAt(p []byte, off int64) (int, error) { return r.reader.ReadAt(p, off) }

func newMaskedBench(t *testing.T, masks policy.MaskOptions, policies ...policy.Kind) *maskedBench {
	t.Helper()
	dir := *maskedDir
	if dir == "" {
		dir = t.TempDir()
	}
	b := &maskedBench{t: t, slow: new(atomic.Int64), readers: map[string]*raid.Reader{}, clients: map[string][]*nbdtest.Client{}}
	b.slow.Store(1)
	steady := new(atomic.Int64)
	steady.Store(1)
	var plain, members []raid.Member
	for i := range benchData + 2 {
		path := filepath.Join(dir, "member"+strconv.Itoa(i))
		f, err := member.CreateFile(path, 6<<20)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Remove(path) })
		p := &paced{Member: f, slow: steady, dice: rand.New(rand.NewPCG(7, uint64(i)))}
		if i == limping {
			p.slow = b.slow
		}
		b.members, plain, members = append(b.members, p), append(plain, f), append(members, p)
	}
	if _, err := raid.Create(plain, raid.DefaultCreateOptions()); err != nil {
		t.Fatal(err)
	}
	o := raid.DefaultOptions()
	o.Masks = masks
	var err error
	if b.array, err = raid.Open(members, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.array.Close() })
	b.held = make([]byte, b.array.Size())
	rand.NewChaCha8([32]byte{4}).Read(b.held)
	if _, err := b.array.WriteAt(b.held, 0); err != nil {
		t.Fatal(err)
	}
	b.check() // checksums are in memory from now on
	if b.keeper, err = New(b.array, Options{Report: b.heard.add}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.keeper.Close() })
	b.control = serveControl(t, b.array, b.keeper)
	b.serve("", b.array)
	for _, kind := range policies {
		r, err := b.array.NewReader(policy.Default(kind))
		if err != nil {
			t.Fatal(err)
		}
		b.readers[string(kind)] = r
		b.serve(string(kind), reading{b.array, r})
	}
	return b
}

// serve serves reads over NBD, and connects clients.
func (b *maskedBench) serve(name string, d nbd.Device) {
	b.t.Helper()
	server, err := nbd.NewServer(nbd.Export{Name: "array", Device: d}, nbd.DefaultOptions())
	if err != nil {
		b.t.Fatal(err)
	}
	socket := "unix:" + filepath.Join(b.t.TempDir(), "s")
	l, err := nbd.Listen(socket, false)
	if err != nil {
		b.t.Fatal(err)
	}
	go server.Serve(l)
	b.t.Cleanup(func() { server.Close() })
	for range benchReaders {
		c, err := nbdtest.Dial(socket, nil)
		if err != nil {
			b.t.Fatal(err)
		}
		b.t.Cleanup(func() { c.Close() })
		b.clients[name] = append(b.clients[name], c)
	}
}

// check compares all bytes of the array.
func (b *maskedBench) check() {
	b.t.Helper()
	got := make([]byte, len(b.held))
	if _, err := b.array.ReadAt(got, 0); err != nil || !bytes.Equal(got, b.held) {
		b.t.Fatalf("the array holds something else: %v", err)
	}
}

// counters are those of the reads by a policy; "" is the array's own.
func (b *maskedBench) counters(name string) policy.Counters {
	if name == "" {
		return b.array.Counters()
	}
	return b.readers[name].Counters()
}

// read has all clients of a policy read at random places until a time has passed, and returns
// when each read was under way. Every byte is compared.
func (b *maskedBench) read(name string, bytesEach int, lasts time.Duration, seed uint64) (reads []timespan) {
	b.t.Helper()
	var mu sync.Mutex
	var all sync.WaitGroup
	end := time.Now().Add(lasts)
	for i, c := range b.clients[name] {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			p := make([]byte, bytesEach)
			var own []timespan
			for time.Now().Before(end) {
				off := rng.Int64N(int64(len(b.held)/bytesEach)) * int64(bytesEach)
				began := time.Now()
				_, err := c.ReadAt(p, off)
				own = append(own, timespan{began, time.Now()})
				if err != nil || !bytes.Equal(p, b.held[off:off+int64(bytesEach)]) {
					b.t.Errorf("%d bytes at %d are not what was written: %v", bytesEach, off, err)
					return
				}
			}
			mu.Lock()
			defer mu.Unlock()
			reads = append(reads, own...)
		})
	}
	all.Wait()
	return reads
}

func (b *maskedBench) mask(how policy.Mask) {
	b.t.Helper()
	if _, err := b.control.Mask(b.t.Context(), MaskOrder{Member: strconv.Itoa(limping), How: string(how), Incident: "ec082432", Stay: true}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *maskedBench) unmask() {
	b.t.Helper()
	if _, err := b.control.Unmask(b.t.Context(), strconv.Itoa(limping), ""); err != nil {
		b.t.Fatal(err)
	}
}

// TestMaskedMemberComesBack: of a member that limps and is masked only probes read, and they
// are few; writes reach it. When it has recovered, the array says so, reads it again, and has
// no mask any more. It counts reads, and no clock decides.
func TestMaskedMemberComesBack(t *testing.T) {
	o := policy.DefaultMaskOptions()
	o.ProbeEvery, o.WellFor = time.Millisecond, 500*time.Millisecond
	b := newMaskedBench(t, o)
	b.slow.Store(timesSlower)
	if _, err := b.control.Mask(t.Context(), MaskOrder{Member: strconv.Itoa(limping), How: "sit-out", Incident: "ec082432"}); err != nil {
		t.Fatal(err)
	}
	before, reads := b.array.Counters(), b.members[limping].reads.Load()
	for seed := uint64(0); b.array.Counters().Probes < 40; seed++ { // more than a block of answers
		b.read("", benchStripe, 200*time.Millisecond, seed)
	}
	c := b.array.Counters()
	probes, made := c.Probes-before.Probes, c.Reads-before.Reads
	if got := b.members[limping].reads.Load() - reads; got > int64(probes) {
		t.Errorf("the masked member was read %d times, with %d probes", got, probes)
	}
	if float64(probes) > 0.01*float64(made)+1 || c.Masked != before.Masked {
		t.Errorf("%d probes and %d other reads for masks, of %d", probes, c.Masked-before.Masked, made)
	}
	s, err := b.control.Status(t.Context())
	if m := s.Members[limping].Mask; err != nil || m == nil || m.Recovered || m.Ratio == nil || *m.Ratio < 2 {
		t.Errorf("a member that limps: %+v, %v", m, err)
	}
	copy(b.held[benchStripe:], bytes.Repeat([]byte("limpet"), 2*benchStripe/6))
	if _, err := b.array.WriteAt(b.held[benchStripe:3*benchStripe], benchStripe); err != nil {
		t.Fatal(err)
	}
	b.check()

	b.slow.Store(1)
	end := time.Now().Add(2 * time.Minute)
	for seed := uint64(0); len(b.array.Masks()) > 0; seed++ {
		if b.read("", benchStripe, 200*time.Millisecond, seed); time.Now().After(end) {
			t.Fatalf("the mask does not end: %+v", b.array.Masks())
		}
	}
	if text := b.heard.String(); !strings.Contains(text, "member 3 has been as fast as the other members for 500ms: the mask has ended, and limpet reads this member as usual") {
		t.Errorf("said is %q", text)
	}
	reads, probes = b.members[limping].reads.Load(), b.array.Counters().Probes
	n := len(b.read("", benchStripe, 200*time.Millisecond, 99))
	if got := b.members[limping].reads.Load() - reads; got < int64(n) || b.array.Counters().Probes != probes {
		t.Errorf("%d reads of the member for %d requests after it came back, %d probes", got, n, b.array.Counters().Probes-probes)
	}
	b.check() // what was written meanwhile is on the member
	if sc, err := b.array.Scrub(t.Context(), raid.ScrubOptions{}); err != nil || sc.Faulty != 0 {
		t.Errorf("scrub: %+v, %v", sc, err)
	}
}

// TestStayingMask: a mask that stays is reported once when the member has recovered.
func TestStayingMask(t *testing.T) {
	o := policy.DefaultMaskOptions()
	o.ProbeEvery, o.ProbeShare, o.WellFor = time.Millisecond, 0.1, 0
	b := newMaskedBench(t, o)
	b.mask(policy.MaskSitOut)
	end := time.Now().Add(2 * time.Minute)
	for seed := uint64(0); !strings.Contains(b.heard.String(), "the mask stays until you run limpet raid unmask"); seed++ {
		if b.read("", benchStripe, 300*time.Millisecond, seed); time.Now().After(end) {
			t.Fatalf("not reported: %+v", b.array.Masks())
		}
	}
	b.read("", benchStripe, 2500*time.Millisecond, 1) // two more looks of the keeper
	if n := strings.Count(b.heard.String(), "the mask stays"); n != 1 {
		t.Errorf("reported %d times", n)
	}
	if m := b.array.Masks(); len(m) != 1 {
		t.Errorf("masks are %+v", m)
	}
}

// A row is one line of the table: a policy, whether the member limps, and its mask.
type row struct {
	name   string
	policy policy.Kind
	limps  bool
	mask   policy.Mask
	took   []time.Duration // of reads during which the machine ran
	left   int             // other reads
	all    []time.Duration // of both
	made   policy.Counters // reads and extra reads of this row
}

// A watchdog finds the times at which the machine stood still: another process sleeps for a
// millisecond, again and again, and was woken too late. It is a process of its own, so that a stall
// of the array's process counts as the array's.
type watchdog struct {
	cmd    *exec.Cmd
	stop   io.Closer
	out    *bufio.Scanner
	stalls []timespan
}

type timespan struct{ from, to time.Time }

// tooLate is a stall: a third of what a member takes for an I/O.
const tooLate = time.Millisecond

const watchdogVariable = "LIMPET_TEST_WATCHDOG"

// TestMain is also the watchdog: it prints stalls, in nanoseconds since 1970, until its input ends.
func TestMain(m *testing.M) {
	if os.Getenv(watchdogVariable) == "" {
		os.Exit(m.Run())
	}
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	for {
		from := time.Now()
		time.Sleep(time.Millisecond)
		if to := time.Now(); to.Sub(from) > time.Millisecond+tooLate {
			fmt.Println(from.UnixNano(), to.UnixNano())
		}
	}
}

func newWatchdog(t *testing.T) *watchdog {
	t.Helper()
	w := &watchdog{cmd: exec.Command(os.Args[0])}
	w.cmd.Env = append(os.Environ(), watchdogVariable+"=1")
	in, err := w.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.stop, w.out = in, bufio.NewScanner(out)
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return w
}

// end waits for the last stall.
func (w *watchdog) end(t *testing.T) {
	t.Helper()
	time.Sleep(50 * time.Millisecond) // a stall that lasts is printed when it is over
	w.stop.Close()
	for w.out.Scan() {
		var from, to int64
		if _, err := fmt.Sscan(w.out.Text(), &from, &to); err != nil {
			t.Fatal(err)
		}
		w.stalls = append(w.stalls, timespan{time.Unix(0, from), time.Unix(0, to)})
	}
	if err := w.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

// undisturbed leaves out reads that a stall met.
func (w *watchdog) undisturbed(reads []timespan) (took []time.Duration, left int) {
	for _, r := range reads {
		at, _ := slices.BinarySearchFunc(w.stalls, r.from, func(s timespan, t time.Time) int { return s.to.Compare(t) })
		if at < len(w.stalls) && w.stalls[at].from.Before(r.to) {
			left++
			continue
		}
		took = append(took, r.to.Sub(r.from))
	}
	return took, left
}

// TestMaskedTable measures what readers wait with a member that limps: without masking, with the
// array's own policies, and with the diagnosis told; and prints a table. `make raid-masked`.
func TestMaskedTable(t *testing.T) {
	if *maskedFor == 0 {
		t.Skip("make raid-masked measures")
	}
	stripes := []*row{
		{name: "fault-free", policy: policy.Normal},
		{name: "fault-free again", policy: policy.Normal},
		{name: "fault, waits", policy: policy.Normal, limps: true},
		{name: "fault, adaptive", policy: policy.Adaptive, limps: true},
		{name: "fault, hedge", policy: policy.Hedge, limps: true},
		{name: "fault, adaptive, told: sit-out", policy: policy.Adaptive, limps: true, mask: policy.MaskSitOut},
		{name: "fault, hedge, told: sit-out", policy: policy.Hedge, limps: true, mask: policy.MaskSitOut},
		{name: "fault, normal, told: sit-out", policy: policy.Normal, limps: true, mask: policy.MaskSitOut},
	}
	chunks := []*row{
		{name: "fault-free", policy: policy.Normal},
		{name: "fault, waits", policy: policy.Normal, limps: true},
		{name: "fault, adaptive", policy: policy.Adaptive, limps: true},
		{name: "fault, hedge", policy: policy.Hedge, limps: true},
		{name: "fault, normal, told: sit-out", policy: policy.Normal, limps: true, mask: policy.MaskSitOut},
		{name: "fault, normal, told: last", policy: policy.Normal, limps: true, mask: policy.MaskLast},
		{name: "fault, normal, told: hedge", policy: policy.Normal, limps: true, mask: policy.MaskHedge},
	}
	o := policy.DefaultMaskOptions()
	o.ProbeEvery = 10 * time.Millisecond // as many probes as their share allows, which is more than in a real array
	b := newMaskedBench(t, o, policy.Normal, policy.Adaptive, policy.Hedge)
	b.read(string(policy.Hedge), benchStripe, 2*time.Second, 1) // hedge then knows what is usual
	b.measure(stripes, benchStripe, *maskedFor*2/3)
	t.Logf("reads of a whole stripe, %d + 2 members, member %d takes %d times as long:\n%s", benchData, limping, timesSlower, table(stripes))
	b.measure(chunks, raid.ChunkSize, *maskedFor/3)
	t.Logf("reads of one chunk:\n%s", table(chunks))
}

// rounds is how often the rows take turns, so that what else the machine does meets them alike.
const rounds = 12

func (b *maskedBench) measure(rows []*row, bytesEach int, lasts time.Duration) {
	b.t.Helper()
	turn := lasts / time.Duration(rounds*len(rows))
	for round := range rounds {
		for i := range rows {
			r := rows[(i+round)%len(rows)]
			b.slow.Store(1)
			if r.limps {
				b.slow.Store(timesSlower)
			}
			if r.mask != "" {
				b.mask(r.mask)
			}
			b.read(string(r.policy), bytesEach, turn/8, uint64(round)) // what is under way ends
			before := b.counters(string(r.policy))
			watch := newWatchdog(b.t)
			reads := b.read(string(r.policy), bytesEach, turn*7/8, uint64(round+100))
			watch.end(b.t)
			took, left := watch.undisturbed(reads)
			r.took, r.left = append(r.took, took...), r.left+left
			for _, read := range reads {
				r.all = append(r.all, read.to.Sub(read.from))
			}
			after := b.counters(string(r.policy))
			r.made.Reads += after.Reads - before.Reads
			r.made.Extra += after.Extra - before.Extra
			r.made.Probes += after.Probes - before.Probes
			if r.mask != "" {
				b.unmask()
			}
			b.slow.Store(1)
			time.Sleep(timesSlower * longestIO) // what the member owes comes
		}
	}
}

// table is the rows as text: reads that count and those that the machine disturbed, quantiles of the
// former in milliseconds and as multiples of the first row, quantiles of all reads, and extra reads of
// those that are needed.
func table(rows []*row) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "row\treads\tdisturbed\tp50 ms\tp99 ms\tp99.9 ms\tp99 ×\tp99.9 ×\tall p99 ms\tall p99.9 ms\textra\tprobes\t")
	for _, r := range rows {
		slices.Sort(r.took)
		slices.Sort(r.all)
		needed := float64(r.made.Reads - r.made.Extra)
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f %%\t%.2f %%\t\n", r.name, len(r.took), r.left,
			quantile(r.took, 0.5), quantile(r.took, 0.99), quantile(r.took, 0.999),
			quantile(r.took, 0.99)/quantile(rows[0].took, 0.99), quantile(r.took, 0.999)/quantile(rows[0].took, 0.999),
			quantile(r.all, 0.99), quantile(r.all, 0.999), 100*float64(r.made.Extra)/needed, 100*float64(r.made.Probes)/needed)
	}
	w.Flush()
	return text.String()
}

// quantile is one of sorted times, in milliseconds; -1 where there are none.
func quantile(sorted []time.Duration, q float64) float64 {
	if len(sorted) == 0 {
		return -1
	}
	return float64(sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]) / 1e6
}
