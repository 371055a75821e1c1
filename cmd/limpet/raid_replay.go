package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/limpet-storage/limpet/internal/bounded"
	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/policy"
	"github.com/limpet-storage/limpet/raid/replay"
)

type raidReplayFlags struct {
	options  replay.Options
	virtual  bool
	policies []string
	delay    delayFlags
	compress float64

	trace, traceFormat string
	hadoop             replay.Hadoop

	scratch   raidScratch
	overwrite bool

	format, page string
}

const (
	leastSpeed   = 0.001
	mostSpeed    = 1e6
	mostRequests = 1_000_000_000 // --max-memory may allow fewer
	mostRead     = 1 << 30       // bytes of one request
	mostDepth    = 1 << 16       // requests at a time
	slowestFloor = time.Minute   // longer than any drive needs
)

func newRaidReplay() *cobra.Command {
	f := raidReplayFlags{options: replay.Default(), hadoop: replay.DefaultHadoop(), scratch: defaultScratch()}
	cmd := &cobra.Command{
		Use:   "replay [MEMBER...]",
		Short: "compare how long clients wait with each policy if drives are slow",
		Long: `Replay a block trace on an array whose drives are slowed down, once for each policy
and once without slow drives. The report shows how long readers waited (latencies
from the median to the slowest), the slowdowns, and the number of extra reads.

By default, real files are read: an array of --data data members and two parity
members is made in --dir and removed afterwards. If you name MEMBERs, your own array
is used. The policies run one after the other, in twenty rounds, so that other load
on the machine affects all policies equally. With --virtual, drives and time are
simulated, and an hour of simulated time takes seconds.

A periodic slowdown lasts for hours. On real drives, --compress makes the slowdown
shorter, and the report states by how much.`,
		Example: `  limpet raid replay --virtual --delay rare
  limpet raid replay --virtual --delay periodic --requests 120000 --rate 5
  limpet raid replay --delay rare --policy normal,proactive2,hedge --dir /mnt/scratch
  limpet raid replay --delay periodic:slow=5 --compress 600 --html page.html
  limpet raid replay --trace sda.blkparse --delay fleet.json d0 d1 d2 d3 p q`,
		RunE: f.run,
	}
	f.bind(cmd)
	return cmd
}

func (f *raidReplayFlags) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	o, h := &f.options, &f.hadoop
	fs.BoolVar(&f.virtual, "virtual", false, "simulate the drives and the time")
	fs.StringArrayVar(&f.policies, "policy", nil, "`POLICY` to compare, such as adaptive or adaptive:st=2,sr=3. The flag may be repeated, or may name several policies with commas between them (default: all policies)")
	f.delay.bind(cmd, "rare")
	fs.Var(bounded.Float(&f.compress, leastSpeed, mostSpeed, "times"), "compress", "divide the length of a periodic slowdown by this `number` (default: 1 for simulated drives, 600 for real drives)")
	fs.StringVar(&f.trace, "trace", "hadoop", "`FILE` with a block trace in the format of blkparse, in the format of MSR (Microsoft Research), or as CSV with the columns seconds,op,offset,bytes. Without a file, \"hadoop\" generates a trace of large reads, like those of a Hadoop job")
	fs.StringVar(&f.traceFormat, "trace-format", "", "`FORMAT` of the trace, if the first line does not show the format: blkparse, msr, csv")
	h.Requests, o.Seed = 20_000, 1
	fs.Var(bounded.Int(&h.Requests, 1, mostRequests, "requests"), "requests", "number of requests of the trace hadoop")
	fs.Var(bounded.Float(&h.Rate, leastSpeed, mostSpeed, "requests a second"), "rate", "number of requests a second of the trace hadoop")
	fs.Var(bounded.Bytes(&h.Read, raid.ChunkSize, mostRead), "read", "size of each request of the trace hadoop, in `bytes`")
	fs.Var(bounded.Int(&o.Depth, 0, mostDepth, "requests"), "depth", "always keep `n` requests active; 0 starts each request at its time in the trace (default: 0, but 4 for the trace hadoop on real drives)")
	fs.Var(bounded.Float(&o.Speed, leastSpeed, mostSpeed, "times"), "speed", "replay the trace this many `times` faster than it was recorded")
	fs.Var(bounded.Int(&o.Layout.Data, 2, raid.MaxData, "members"), "data", "number of `data` members of the array that is simulated or made")
	fs.StringVar((*string)(&o.Drive), "drive", string(o.Drive), "simulated `DRIVE`: disk, ssd")
	fs.StringVar((*string)(&o.As), "as", "", "slow down real members to the speed of a simulated `DRIVE` (disk or ssd). If --speed is given, this drive is faster by the same factor as the trace")
	fs.Var(bounded.Duration(&o.Floor, 0, slowestFloor), "floor", "shortest time that a real I/O takes; with a larger value, fast drives behave like older, slower drives")
	fs.StringVar(&f.scratch.dir, "dir", f.scratch.dir, "`directory` for the files of the array")
	fs.Var(bounded.Bytes(&f.scratch.size, leastScratch, longestArray), "size", "size in bytes of the array that is made in --dir")
	fs.BoolVar(&f.scratch.keep, "keep", false, "keep the files in --dir, so that the next run can use them")
	fs.BoolVar(&f.overwrite, "overwrite", false, "execute the writes of the trace on your MEMBERs, or on the files kept in --dir. The data on these members or files will be destroyed")
	fs.Var(bounded.Bytes(&o.MemoryBytes, leastMemory, mostMemory), "max-memory", "largest number of `bytes` of memory for requests and their results")
	fs.Var(bounded.Seed(&o.Seed), "seed", "`seed` of the random numbers of the trace, the drives and the slowdowns")
	fs.StringVarP(&f.format, "format", "o", "text", "`FORMAT`: text, csv")
	fs.StringVar(&f.page, "html", "", "also write an HTML page with plots to `FILE`")
}

func (f *raidReplayFlags) run(cmd *cobra.Command, paths []string) error {
	if err := f.settle(cmd, paths); err != nil {
		return usageError{err}
	}
	c := replayMembers{done: func() {}}
	var err error
	if !f.virtual {
		if c, err = f.members(cmd, paths); err != nil {
			return err
		}
	}
	defer c.done()
	records, err := f.records(cmd, c.members)
	if err == nil {
		err = f.mayWrite(records, c)
	}
	if err != nil {
		closeMembers(c.members)
		return err
	}
	res, err := f.replay(cmd, records, c.members)
	if err != nil {
		return err
	}
	return f.write(cmd, res)
}

// mayWrite returns an error if the trace writes to members that existed before, unless --overwrite
// is given.
func (f *raidReplayFlags) mayWrite(records []replay.Record, c replayMembers) error {
	writes := slices.ContainsFunc(records, func(r replay.Record) bool { return r.Write })
	if writes && len(c.members) > len(c.made) && !f.overwrite {
		return errors.New("the trace has writes, which would destroy the data on the array: if the data may be destroyed, add --overwrite; if not, name an empty directory with --dir")
	}
	return nil
}

// settle converts the flags to options, and returns an error for wrong flags before anything is
// written.
func (f *raidReplayFlags) settle(cmd *cobra.Command, paths []string) (err error) {
	o := &f.options
	if o.Distribution, err = f.delay.distribution(o.Seed); err != nil {
		return err
	}
	if !f.virtual && o.Distribution.Kind == replay.KindPeriodic && o.Distribution.Compress == 1 {
		o.Distribution.Compress = realCompress
	}
	override(cmd, "compress", &o.Distribution.Compress, f.compress)
	if f.trace == "hadoop" && !f.virtual && !cmd.Flags().Changed("depth") {
		o.Depth = f.hadoop.Mappers // each mapper has one request in flight: it counts words before it reads more
	}
	if err := f.parsePolicies(); err != nil {
		return err
	}
	if data := len(paths) - o.Layout.Parity; data > 0 {
		o.Layout.Data = data
	}
	f.hadoop.Seed = o.Seed
	switch {
	case f.virtual && len(paths) > 0:
		return errors.New("--virtual simulates all drives: name no members on the command line")
	case f.format != "text" && f.format != "csv":
		return fmt.Errorf("format %q is unknown: use text or csv", f.format)
	}
	return errors.Join(foresee(cmd, output{flag: "html", path: f.page}), o.Validate())
}

// realCompress is the factor by which slow periods are shorter in a replay on real drives: hours
// become 12 to 18 seconds, and minutes become 1/3 to 2/3 of a second.
const realCompress = 600

// parsePolicies parses the policies that the flags name. A flag names one policy with settings, or
// a list of policies without settings.
func (f *raidReplayFlags) parsePolicies() error {
	if len(f.policies) == 0 {
		return nil
	}
	f.options.Policies = nil
	for _, text := range f.policies {
		names := []string{text}
		if !strings.Contains(text, ":") {
			names = strings.Split(text, ",")
		}
		for _, name := range names {
			p, err := policy.Parse(name)
			if err != nil {
				return err
			}
			f.options.Policies = append(f.options.Policies, p)
		}
	}
	return nil
}

// records reads or generates the trace.
func (f *raidReplayFlags) records(cmd *cobra.Command, members []raid.Member) ([]replay.Record, error) {
	if f.trace == "hadoop" {
		if err := f.fitHadoop(members); err != nil {
			return nil, err
		}
		source, err := f.hadoop.Source()
		if err != nil {
			return nil, usageError{err}
		}
		return f.load(source)
	}
	file, err := os.Open(f.trace)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, err := replay.NewReader(f.trace, file, replay.Format(f.traceFormat))
	if err != nil {
		return nil, err
	}
	records, err := f.load(reader)
	printWarnings(cmd.ErrOrStderr(), traceWarnings(reader))
	if err == nil && len(records) == 0 {
		return nil, fmt.Errorf("%s: the trace has no requests: give another file", f.trace)
	}
	return records, err
}

// fitHadoop reduces the size of splits until they fit a real array.
func (f *raidReplayFlags) fitHadoop(members []raid.Member) error {
	if members == nil {
		return nil
	}
	s, err := raid.Examine(members)
	if err != nil {
		return err
	}
	h := &f.hadoop
	h.Capacity = s.Geometry.Size()
	for h.Split > h.Read && h.Split > h.Capacity/int64(2*h.Mappers) {
		h.Split /= 2
	}
	h.Split = max(h.Split/h.Read, 1) * h.Read
	return nil
}

// load reads all requests into memory.
func (f *raidReplayFlags) load(s replay.Source) ([]replay.Record, error) {
	records, err := f.options.Load(s)
	return records, f.withHint(err, "shorten the trace, name fewer policies")
}

// withHint adds a hint to the error for a trace that does not fit in memory.
func (f *raidReplayFlags) withHint(err error, cure string) error {
	if !errors.Is(err, replay.ErrMemory) {
		return err
	}
	return fmt.Errorf("%s: %w; %s, or raise --max-memory (%s)", f.trace, err, cure, bounded.FormatBytes(f.options.MemoryBytes))
}

func traceWarnings(r *replay.Reader) []string {
	lines, places := r.Malformed()
	warnings := slices.Clone(places)
	if more := lines - len(places); more > 0 {
		warnings = append(warnings, fmt.Sprintf("%d more lines of the trace cannot be read", more))
	}
	if n := r.Backwards(); n > 0 {
		warnings = append(warnings, fmt.Sprintf("%d requests have an earlier time than the previous request in the trace. limpet starts each of them at the same time as the previous request", n))
	}
	return warnings
}

func (f *raidReplayFlags) replay(cmd *cobra.Command, records []replay.Record, members []raid.Member) (*replay.Result, error) {
	tell, done := showSteps(cmd, "replaying")
	defer done()
	var res *replay.Result
	var err error
	if f.virtual {
		res, err = replay.Virtual(cmd.Context(), f.trace, records, f.options, replay.Progress(tell))
	} else {
		res, err = replay.Real(cmd.Context(), f.trace, records, f.options, members, replay.Progress(tell))
	}
	if cmd.Context().Err() != nil {
		return nil, errors.New("interrupted")
	}
	return res, f.withHint(err, "choose a lower --speed, choose a lower --depth")
}

func (f *raidReplayFlags) write(cmd *cobra.Command, res *replay.Result) error {
	write := res.WriteText
	if f.format == "csv" {
		write = res.WriteCSV
	}
	err := write(cmd.OutOrStdout())
	return errors.Join(err, writeOutputs(cmd.Context(), output{"html", f.page, res.WritePage}))
}
