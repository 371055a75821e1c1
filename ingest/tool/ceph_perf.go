package tool

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limpet-storage/limpet/ingest/osd"
	"github.com/limpet-storage/limpet/internal/quantile"
)

// cephPerfTable reads the output of the command `ceph tell osd.N perf dump`. A script polls all
// OSDs, and prints the time before each poll and the name of the OSD before each dump. The file may
// begin with the output of the command `ceph osd metadata`, which contains the host and the device
// class of each OSD.
//
//	(ceph osd metadata; while sleep 15; do date -u +%FT%TZ; for i in $(ceph osd ls); do echo osd.$i; ceph tell osd.$i perf dump; done; done) > osds.txt
//
//	[{"id": 3, "hostname": "ceph2", "default_device_class": "hdd", "bluestore_bdev_devices": "sdb", …}, …]
//	2026-11-15T23:12:20Z
//	osd.3
//	{"osd": {"op": 524, "op_in_bytes": 23560216, "op_out_bytes": 7602200,
//	         "op_latency": {"avgcount": 524, "sum": 39.49, "avgtime": 0.075}, "numpg": 129, "numpg_primary": 18, …},
//	 "bluestore": {"commit_lat": {"avgcount": 469, "sum": 44.1, "avgtime": 0.094}, "read_lat": {…}, …}, …}
//
// An operation of a client waits for the slowest OSD that takes part in it. So if one OSD is slow,
// op_latency is high on all OSDs, and does not show which OSD is slow. The column `latency` has the
// time in the device and in the daemon, but not the time in other OSDs. It is the sum of two times.
// The first is the time of the reads and commits of BlueStore in this OSD. The second is the time
// that operations wait in the queue of this OSD (op_before_dequeue_op_lat − op_before_queue_op_lat).
//
// OSDs have different shares of reads. So the latency is standardised (package osd): the result is
// the latency that the OSD would have with the same share of reads as its peers.
var cephPerfTable = TableFormat{
	Name:    "ceph-perf",
	Command: "date -u +%FT%TZ; echo osd.N; ceph tell osd.N perf dump",
	Columns: []string{"time", "osd", "host", "class", "device", "latency", "work", "commit", "read", "op_latency", "ops", "bytes", "pgs", "primaries", "size", "free"},
	Signs:   []Sign{{[]string{`"op_process_latency"`, `"numpg_primary"`}, "perf dumps of OSDs of Ceph"}},
	Open: func(src *bufio.Reader) rowSource {
		p := &cephDumpPoll{hosts: map[string]cephOSD{}, last: map[string]*cephCounters{}, now: map[string]*cephCounters{}}
		return &cephDumpSource{lines: newLineSource(src, p.line).(*lineSource), poll: p}
	},
}

// cephOSD has the properties of an OSD from the output of the command `ceph osd metadata`.
type cephOSD struct{ host, class, device string }

// cephCounters are the counters of an OSD at one time.
type cephCounters struct {
	time                     int64
	read, commit, operations cephTimes
	queue                    cephTimes
	inBytes, outBytes        float64
	reads, readBytes         float64 // number of reads of clients, and their bytes
	copyBytes                float64 // bytes of copies that this OSD received from primaries of replicated pools
	pgs, primaries           float64
	bytes, used              float64
}

// cephTimes has the number of requests since the start of a daemon, and the sum of their times in
// seconds.
type cephTimes struct {
	Count   float64 `json:"avgcount"`
	Seconds float64 `json:"sum"`
}

func (t cephTimes) since(o cephTimes) cephTimes {
	return cephTimes{t.Count - o.Count, t.Seconds - o.Seconds}
}

// ms returns the mean time of a request in milliseconds. The result `ok` is false if there is no
// request.
func (t cephTimes) ms() (ms float64, ok bool) {
	if t.Count <= 0 || t.Seconds < 0 {
		return 0, false
	}
	return t.Seconds / t.Count * 1e3, true
}

func (t cephTimes) column() string {
	ms, ok := t.ms()
	if !ok {
		return ""
	}
	return numeral(ms)
}

func numeral(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// cephDumpJSON is the dump of one OSD. In the Ceph release Quincy and later releases, the name of
// commit_lat is txc_commit_lat.
type cephDumpJSON struct {
	OSD *struct {
		Op        cephTimes `json:"op_latency"`
		In        float64   `json:"op_in_bytes"`
		Out       float64   `json:"op_out_bytes"`
		Reads     float64   `json:"op_r"`
		ReadBytes float64   `json:"op_r_out_bytes"`
		CopyBytes float64   `json:"subop_w_in_bytes"`
		PGs       float64   `json:"numpg"`
		Primaries float64   `json:"numpg_primary"`
		Bytes     float64   `json:"stat_bytes"`
		Used      float64   `json:"stat_bytes_used"`
		Queued    cephTimes `json:"op_before_queue_op_lat"`
		Dequeued  cephTimes `json:"op_before_dequeue_op_lat"`
	} `json:"osd"`
	BlueStore struct {
		Commit    cephTimes `json:"commit_lat"`
		TxcCommit cephTimes `json:"txc_commit_lat"`
		Read      cephTimes `json:"read_lat"`
	} `json:"bluestore"`
}

// cephMetadataJSON is the entry of one OSD in the output of the command `ceph osd metadata`.
type cephMetadataJSON struct {
	ID       int    `json:"id"`
	Hostname string `json:"hostname"`
	Class    string `json:"default_device_class"`
	Devices  string `json:"bluestore_bdev_devices"` // devices of the data, without the device of the database
}

var errCephDump = errors.New("the JSON that ends in this line cannot be read: give the output of `ceph tell osd.N perf dump` again")

// cephDumpPoll is the state of the reader of performance dumps.
type cephDumpPoll struct {
	time   int64
	osd    string
	object jsonText
	hosts  map[string]cephOSD
	last   map[string]*cephCounters // counters of the previous poll, by OSD
	now    map[string]*cephCounters // counters of this poll, by OSD
}

// cephDumpSource reads the text line by line. At the end of the text, it also adds the rows of the
// last poll.
type cephDumpSource struct {
	lines *lineSource
	poll  *cephDumpPoll
}

// Next reads one line.
func (s *cephDumpSource) Next(rows *csvRows) error {
	err := s.lines.Next(rows)
	if err != nil {
		s.poll.end(rows)
	}
	return err
}

// line reads a line: a time, the name of an OSD, or a part of JSON.
func (p *cephDumpPoll) line(line string, rows *csvRows) error {
	for line != "" {
		if p.object.depth == 0 {
			if at, ok := parseClockLine(line); ok {
				p.end(rows)
				p.time = at
				return nil
			}
			if m := osdLine.FindStringSubmatch(line); m != nil {
				p.osd, line = m[1], m[2]
			}
			if text := strings.TrimSpace(line); !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
				return nil
			}
		}
		end := p.object.take(line)
		if p.object.text.Len() > maxCephPerfJSON {
			return fmt.Errorf("the JSON has more than %d MB, which is the limit: give shorter output", maxCephPerfJSON>>20)
		}
		if p.object.depth > 0 {
			return nil
		}
		text := p.object.text.String()
		p.object = jsonText{}
		if err := p.dump([]byte(text)); err != nil {
			return err
		}
		line = line[end:]
	}
	return nil
}

// dump adds the performance counters of one OSD, or the metadata of all OSDs, to the poll.
func (p *cephDumpPoll) dump(text []byte) error {
	if text[0] == '[' {
		var all []cephMetadataJSON
		if json.Unmarshal(text, &all) != nil {
			return errCephDump
		}
		for _, m := range all {
			p.hosts[fmt.Sprintf("osd.%d", m.ID)] = cephOSD{m.Hostname, m.Class, m.Devices}
		}
		return nil
	}
	var d cephDumpJSON
	switch err := json.Unmarshal(text, &d); {
	case err != nil:
		return errCephDump
	case d.OSD == nil: // the dump comes from another kind of daemon
		return nil
	case p.time == 0:
		return errCephTime
	case p.osd == "":
		return errors.New("the output does not name the OSD: run `echo osd.N` before each output")
	}
	p.now[p.osd] = &cephCounters{
		time: p.time, read: d.BlueStore.Read, commit: d.BlueStore.Commit, operations: d.OSD.Op, inBytes: d.OSD.In, outBytes: d.OSD.Out,
		reads: d.OSD.Reads, readBytes: d.OSD.ReadBytes, copyBytes: d.OSD.CopyBytes,
		pgs: d.OSD.PGs, primaries: d.OSD.Primaries, bytes: d.OSD.Bytes, used: d.OSD.Used,
	}
	p.now[p.osd].queue = cephTimes{d.OSD.Dequeued.Count, d.OSD.Dequeued.Seconds - d.OSD.Queued.Seconds}
	if d.BlueStore.TxcCommit.Count > 0 {
		p.now[p.osd].commit = d.BlueStore.TxcCommit
	}
	return nil
}

// cephDelta has the work of an OSD since the previous poll.
type cephDelta struct {
	osd          string
	now          *cephCounters
	seconds      float64
	read, commit cephTimes
	queue        cephTimes // operations that waited in the queue of this OSD; they come from clients and from other OSDs
	operations   cephTimes
	clientBytes  float64
	reads        float64 // number of reads of clients
	readBytes    float64
	writtenBytes float64 // bytes that clients wrote, and bytes that were written for other OSDs
	copyBytes    float64
	work         float64 // number of requests; more if the requests are larger than the requests of the peers (see weigh)
	latency      float64 // standardised latency, in ms; NaN without requests
}

// end adds the rows of a poll: one row for each OSD that has counters in this poll and in the
// previous poll.
func (p *cephDumpPoll) end(rows *csvRows) {
	var all []cephDelta
	for _, osd := range slices.SortedFunc(maps.Keys(p.now), byNumber) {
		now, last := p.now[osd], p.last[osd]
		p.last[osd] = now
		if last == nil || now.time <= last.time {
			continue
		}
		d := cephDelta{
			osd: osd, now: now, seconds: float64(now.time - last.time), read: now.read.since(last.read), commit: now.commit.since(last.commit),
			queue: now.queue.since(last.queue), operations: now.operations.since(last.operations), clientBytes: now.inBytes + now.outBytes - last.inBytes - last.outBytes,
			reads: now.reads - last.reads, readBytes: now.readBytes - last.readBytes, copyBytes: now.copyBytes - last.copyBytes,
			writtenBytes: now.inBytes + now.copyBytes - last.inBytes - last.copyBytes,
		}
		if d.read.Count < 0 || d.commit.Count < 0 || d.queue.Count < 0 || d.operations.Count < 0 || d.clientBytes < 0 {
			continue // the daemon was restarted, so the counters began at 0
		}
		all = append(all, d)
	}
	clear(p.now)
	for _, same := range p.byClass(all) {
		standardise(same)
		weigh(same)
		for i := range same {
			p.add(&same[i], rows)
		}
	}
}

// byClass divides OSDs into groups with the same device class.
func (p *cephDumpPoll) byClass(all []cephDelta) (classes [][]cephDelta) {
	slices.SortStableFunc(all, func(a, b cephDelta) int { return cmp.Compare(p.hosts[a.osd].class, p.hosts[b.osd].class) })
	for len(all) > 0 {
		n := 1
		for n < len(all) && p.hosts[all[n].osd].class == p.hosts[all[0].osd].class {
			n++
		}
		classes, all = append(classes, all[:n]), all[n:]
	}
	return classes
}

// byNumber compares names of OSDs by their numbers.
func byNumber(a, b string) int {
	x, _ := strconv.Atoi(strings.TrimPrefix(a, "osd."))
	y, _ := strconv.Atoi(strings.TrimPrefix(b, "osd."))
	return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
}

// standardise sets the standardised latency (package osd) of each OSD of a device class.
func standardise(all []cephDelta) {
	requests := make([]osd.Requests, len(all))
	for i := range all {
		requests[i] = osd.Requests{Read: osd.Times(all[i].read), Commit: osd.Times(all[i].commit), Queue: osd.Times(all[i].queue)}
	}
	for i, ms := range osd.Latencies(requests) {
		all[i].latency = ms
	}
}

// weigh sets the work of each OSD. An OSD that moves more bytes than its peers has more work, even
// with the same number of requests:
//
//	work = max(requests, median requests of all OSDs × bytes / median bytes of all OSDs)
//
// The counters have only the bytes of clients' operations. In replicated pools, the store
// (BlueStore) moves the same bytes: a read of a client is one read of the store, and writes are
// copied to other OSDs. In erasure-coded pools, the store moves other bytes. The primary OSD of an
// object counts all bytes of the object, but its store moves only a part of these bytes. So weigh
// does not use the bytes of erasure-coded pools.
func weigh(all []cephDelta) {
	var storeReads, clientReads, copies float64
	for i := range all {
		storeReads, clientReads, copies = storeReads+all[i].read.Count, clientReads+all[i].reads, copies+all[i].copyBytes
	}
	bytes := func(d *cephDelta) (n float64) {
		if storeReads <= mostReadsOfOne*clientReads {
			n += d.readBytes
		}
		if copies > 0 {
			n += d.writtenBytes
		}
		return n
	}
	var requests, sizes []float64
	for i := range all {
		all[i].work = all[i].read.Count + all[i].commit.Count
		requests, sizes = append(requests, all[i].work), append(sizes, bytes(&all[i]))
	}
	if len(all) == 0 {
		return
	}
	typical, size := quantile.Median(requests), quantile.Median(sizes)
	for i := range all {
		if size > 0 {
			all[i].work = max(all[i].work, typical*bytes(&all[i])/size)
		}
	}
}

// mostReadsOfOne separates replicated pools from erasure-coded pools. In an erasure-coded pool, one
// read of a client causes one read of the store for each data part of the object. An object has at
// least two data parts. So a pool is erasure-coded if the reads of the store are more than
// mostReadsOfOne × the reads of clients.
const mostReadsOfOne = 1.5

func (p *cephDumpPoll) add(d *cephDelta, rows *csvRows) {
	latency, size, free := "", "", ""
	if !math.IsNaN(d.latency) {
		latency = numeral(d.latency)
	}
	if d.now.bytes > 0 {
		size, free = numeral(d.now.bytes), numeral(max(d.now.bytes-d.now.used, 0))
	}
	of := p.hosts[d.osd]
	rows.Add(strconv.FormatInt(d.now.time, 10), d.osd, of.host, cmp.Or(of.class, "OSDs"), of.device, latency,
		numeral(d.work/d.seconds), d.commit.column(), d.read.column(), d.operations.column(),
		numeral(d.operations.Count/d.seconds), numeral(d.clientBytes/d.seconds), numeral(d.now.pgs), numeral(d.now.primaries), size, free)
}
