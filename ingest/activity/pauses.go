package activity

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/internal/devname"
	"github.com/limpet-storage/limpet/record/hoststat"
	"github.com/limpet-storage/limpet/record/sysstat"
	"github.com/limpet-storage/limpet/topology"
)

// pauseReader finds out how long a server paused in each step, and collects the free space of its
// file systems. A server pauses if it has work to do, but does no work.
//
// limpet-record measures the pauses and the free space on the server itself. Files of sadc and
// series of exporters have only some of these data. A record holds the events since the previous
// record, so pauseReader reads every record.
type pauseReader struct {
	disks        *disks
	server       int // index in System.Servers; -1 if the machine is not a server: then pauseReader reads nothing
	header       *sysstat.Header
	form         waitsForm // format in which the present file stores the data of pauses
	last, sample hoststat.Sample
	uptime       uint64      // uptime of the last record; 0 if there is no record yet
	interval     float64     // usual planned time between two records, in s (see isGap); 0 if unknown
	lastSeconds  float64     // time between the last two records, in s
	paused       bool        // true if the server paused at the last record
	cause        table.Cause // cause of the pause
	steps        map[int64]*stepPauses
	slots        map[[2]uint32]int // index of each device in disks.components, by major and minor number
	named        map[string]int    // index of each device in disks.components, by the name that sadc writes
	hadRoom      map[string]bool   // devices in records of sadc whose file systems have had free bytes and free inodes
	changes      int               // value of inventory.Changes when slots and named were computed
	systems      []sysstat.FileSystem
	Damaged      int   // number of samples that could not be decoded
	Err          error // decoding error of the first damaged sample
}

// waitsForm is the form in which the records of a file contain waits: times for which tasks, disk
// requests or sockets waited. Pauses are computed from waits.
type waitsForm uint8

const (
	noWaits waitsForm = iota
	ownWaits
	sadcWaits // records of sadc with pressure (times for which tasks waited), with the space of file systems, or with both
)

// formOf returns the form in which the records of a file contain waits.
func formOf(h *sysstat.Header) (form waitsForm) {
	for i := range h.Activities {
		switch a := &h.Activities[i]; a.ID {
		case hoststat.ID:
			return ownWaits
		case sysstat.FileSystemActivity, sysstat.MemoryPressureActivity:
			if a.Decoded {
				form = sadcWaits
			}
		}
	}
	return form
}

// stepPauses holds the pauses of a server in one step, and the free space at the end of the step.
type stepPauses struct {
	table.ServerGauges
	room map[int]table.DriveGauges // for each component: free space of its file systems
}

// newPauseReader returns the reader for a server. The parameter `server` is the index of the server
// in System.Servers.
func newPauseReader(d *disks, server int) pauseReader {
	return pauseReader{disks: d, server: server, steps: map[int64]*stepPauses{}, slots: map[[2]uint32]int{}, named: map[string]int{}, hadRoom: map[string]bool{}}
}

// Read adds the pauses and the free space in a record to the step that ends at the given time.
func (s *pauseReader) Read(rec *sysstat.Record, end int64) {
	if s.server < 0 {
		return
	}
	if h := rec.Header(); h != s.header {
		s.header, s.form = h, formOf(h)
	}
	if s.form == noWaits || rec.Uptime == s.uptime {
		return // the file has no waits and no free space, or the record was already read: the last record of a file may be repeated in the next file
	}
	before := s.uptime
	s.last, s.sample = s.sample, s.last
	if err := s.decode(rec); err != nil {
		s.Damaged, s.Err = s.Damaged+1, cmp.Or(s.Err, err)
		s.uptime, s.paused = 0, false
		return
	}
	s.uptime = rec.Uptime
	w := s.steps[end]
	if w == nil {
		w = &stepPauses{}
		s.steps[end] = w
	}
	w.Known = true
	if before > 0 && rec.Uptime > before && !rec.Restarted {
		s.judge(float64(rec.Uptime-before)/100, &w.ServerGauges)
	} else {
		s.paused = false
	}
	s.takeRoom(w)
}

// decode sets s.sample from a record. For a record of sadc, it also sets s.systems, the list of
// file systems.
func (s *pauseReader) decode(rec *sysstat.Record) error {
	s.systems = s.systems[:0]
	if s.form == ownWaits {
		raw, _, _ := rec.Items(hoststat.ID)
		return hoststat.Decode(raw, &s.sample)
	}
	s.sample.Reset()
	if p, ok := rec.Pressures(); ok {
		s.sample.Pressure = [hoststat.NumResources]hoststat.Pressure{
			hoststat.CPU: hoststat.Pressure(p.CPU), hoststat.IO: hoststat.Pressure(p.IO), hoststat.Memory: hoststat.Pressure(p.Memory),
		}
	}
	s.systems = rec.FileSystems(s.systems)
	return nil
}

// isGap reports whether the recorder was stopped between two records. The parameter `planned` is
// the time, in seconds, that the recorder had planned between the two records. isGap compares it
// with the usual planned time. At the first call this time is unknown, and isGap returns true.
//
// The usual planned time is at first the planned time between the first two records of a server.
// Later it follows the planned times slowly, because they can change. A planned time is shorter
// after a late sample, and a site may choose a longer interval.
func (s *pauseReader) isGap(planned float64) bool {
	was := s.interval
	switch {
	case was == 0:
		s.interval = planned
	case planned > gapTimes*was:
		s.interval = gapTimes * was
	default:
		s.interval = (was + planned) / 2
	}
	return was == 0 || planned > gapTimes*was
}

// judge adds the pauses since the previous record to the gauges `into`. The previous record is dt
// seconds earlier.
func (s *pauseReader) judge(dt float64, into *table.ServerGauges) {
	before := s.lastSeconds
	s.lastSeconds = dt
	if planned := dt - min(float64(s.sample.LateMicros)/1e6, dt); s.isGap(planned) || planned > longestSeconds {
		s.paused = false
		return
	}
	cause, seconds := pauseBetween(&s.last, &s.sample, dt, before)
	switch {
	case seconds > 0:
		into.PauseSeconds[cause] += float32(seconds)
		if !s.paused {
			into.PausesBegan++
		}
	case s.paused && s.cause != table.ByMemory && s.cause != table.ByCPU:
		// The previous sample was taken during a pause, and the pause has ended between the two
		// samples. On average, such a pause ends in the middle, so half of dt is added. A wait for
		// memory and the lateness of a sample are measured exactly, so nothing is added for these
		// causes.
		into.PauseSeconds[s.cause] += float32(dt / 2)
	}
	s.paused, s.cause = seconds > 0, cause
}

const (
	// lateSeconds is the shortest delay of a sample, in seconds, that shows a pause of the whole
	// machine. One second is the shortest pause that people notice.
	lateSeconds = 1.0
	// stalledShare is a share of time. If all tasks with work waited for memory for at least this
	// share of the time, the machine paused.
	stalledShare = 0.5
	// A request that was unread in a receive queue for unreadMs milliseconds or longer shows that
	// the process paused. A process that is not stopped reads a request within milliseconds. A
	// process may also be busy with requests of other connections. Then the recorder counts at most
	// the time since the process last read such a request. For comparison, healthy file servers
	// were sampled 8,000 times on a machine that had fourteen times as many running tasks as
	// processors. No request was unread for longer than 40 ms.
	unreadMs = 100
	// If planned time > gapTimes × usual planned time, the recorder was stopped between two
	// samples. The planned time does not include the delay of a late sample. So a late sample is
	// not a gap.
	gapTimes = 2
	// longestSeconds is the longest interval between two samples in which pauses can be found. In a
	// longer interval, the sum of waits may come from a few pauses or from many short waits.
	longestSeconds = 60
	// If a sample is late although the machine worked at workedShare of its previous rate or more,
	// only the recorder was stopped. For comparison, a machine that pauses for half of the time
	// works at half of its previous rate.
	workedShare = 0.75
	// leastRequests is the smallest number of completed requests from which a rate can be computed.
	leastRequests = 10
)

// pauseBetween returns the cause of a pause of a machine between two samples, and the length of the
// pause in seconds. The two samples are dt seconds apart. The first of them was taken dtBefore
// seconds after the sample before it. The length is 0 if the machine did work, or had no work. The
// first case that applies gives the result:
//
//   - The sample is late by a second or more, and the machine worked less than before. No process
//     could run, not even the recorder. The pause is as long as the delay. The cause is memory, the
//     disks, or else the processor.
//   - All tasks waited for memory for at least half of the time. The pause is as long as this wait.
//   - The disks had requests for the whole time and completed none, and no data were read from
//     sockets. The cause is the disks.
//   - Requests waited in sockets, and no data were read from any socket. The cause is the process.
//   - Answers waited to be sent in both samples, and clients took none of them. The cause is the
//     network.
//   - A request was unread for a tenth of a second. The cause is the process. The request shows the
//     beginning of a pause, or a pause that is shorter than the time between two samples. There is
//     one exception: another request was unread for the whole time, although data were read. Then
//     the process works, and some connections wait, for example for a disk.
func pauseBetween(before, now *hoststat.Sample, dt, dtBefore float64) (table.Cause, float64) {
	late := float64(now.LateMicros) / 1e6
	full := func(r hoststat.Resource) float64 {
		return float64(now.Pressure[r].Full-min(now.Pressure[r].Full, before.Pressure[r].Full)) / 1e6
	}
	diskStill := false
	for _, d := range now.InFlight {
		diskStill = diskStill || d.Still > 0
	}
	diskStill = diskStill && now.Completed == 0
	q := &now.Accepted
	idle := float64(q.Read) < metric.RxByt.Noise*dt
	if late >= lateSeconds && worked(before, now, dt, dtBefore) {
		late = 0
	}
	switch {
	case late >= lateSeconds && full(hoststat.Memory) >= stalledShare*late:
		return table.ByMemory, late
	case late >= lateSeconds && diskStill:
		return table.ByDisk, late
	case late >= lateSeconds:
		return table.ByCPU, late
	case full(hoststat.Memory) >= stalledShare*dt:
		return table.ByMemory, min(full(hoststat.Memory), dt)
	case diskStill && idle:
		return table.ByDisk, dt
	case q.Stuck > 0 && idle:
		return table.ByProcess, dt
	case before.Accepted.Unsent > 0 && q.Unsent > 0 && q.Taken == 0 && q.Read == 0 && q.ClosedThere == 0:
		return table.ByNetwork, dt
	case q.OldestMs >= unreadMs && q.Stuck == 0:
		return table.ByProcess, min(float64(q.OldestMs)/1e3, dt)
	}
	return 0, 0
}

// worked reports whether a machine worked at nearly the same rate as before (see workedShare). The
// rate is the number of completed requests, or of bytes read, per second. worked compares two
// periods: the dt seconds between the samples `before` and `now`, and the dtBefore seconds before
// the sample `before`.
func worked(before, now *hoststat.Sample, dt, dtBefore float64) bool {
	as := func(was, is uint64, least float64) bool {
		return dtBefore > 0 && float64(was) >= least && float64(is)/dt >= workedShare*float64(was)/dtBefore
	}
	return as(before.Completed, now.Completed, leastRequests) || as(before.Accepted.Read, now.Accepted.Read, metric.RxByt.Noise*dtBefore)
}

// takeRoom stores the free space of the fullest file system of each component, and the temperature of
// the component.
func (s *pauseReader) takeRoom(w *stepPauses) {
	if len(s.sample.FileSystems)+len(s.systems)+len(s.sample.Drives) == 0 {
		return
	}
	of := func(slot int) (int, table.DriveGauges, bool) {
		if slot < 0 {
			return 0, table.DriveGauges{}, false
		}
		c := s.disks.components[slot]
		if w.room == nil {
			w.room = map[int]table.DriveGauges{}
		}
		x, ok := w.room[c]
		if !ok {
			x = table.DriveGauges{Component: c, Hot: math.NaN()}
		}
		return c, x, true
	}
	add := func(slot int, now table.DriveGauges) {
		if c, x, ok := of(slot); ok {
			if now.Component, now.Hot, now.Alarm = c, x.Hot, x.Alarm; x.Bytes == 0 || now.FreeShare() <= x.FreeShare() {
				w.room[c] = now
			}
		}
	}
	for i := range s.sample.FileSystems {
		f := &s.sample.FileSystems[i]
		add(s.slot(f.Major, f.Minor), table.DriveGauges{Bytes: float64(f.Bytes), Free: float64(f.FreeBytes), Files: float64(f.Files), FreeFiles: float64(f.FreeFiles)})
	}
	for i := range s.systems {
		f := &s.systems[i]
		// sadc also records the file systems of mounted images, such as ISO files. An image is
		// always full. So a file system counts only if it has had free space.
		if s.hadRoom[f.Device] = s.hadRoom[f.Device] || f.Available > 0 && (f.Files == 0 || f.FreeFiles > 0); s.hadRoom[f.Device] {
			add(s.slotNamed(f.Device), table.DriveGauges{Bytes: float64(f.Bytes), Free: float64(f.Available), Files: float64(f.Files), FreeFiles: float64(f.FreeFiles)})
		}
	}
	for i := range s.sample.Drives {
		d := &s.sample.Drives[i]
		if c, x, ok := of(s.slot(d.Major, d.Minor)); ok {
			if x.Alarm = d.Alarm; d.Limit > 0 {
				x.Hot = float64(d.MilliCelsius-d.Limit) / 1e3
			}
			w.room[c] = x
		}
	}
}

// slot returns the index of a device in disks.components, or -1 for a device that the system does
// not have.
func (s *pauseReader) slot(major, minor uint32) int {
	s.forgetSlots()
	key := [2]uint32{major, minor}
	slot, ok := s.slots[key]
	if !ok {
		d := device{Major: major, Minor: minor}
		slot = s.disks.find(s.disks.system.Find(s.disks.server, d.Topology(s.disks.inventory)))
		s.slots[key] = slot
	}
	return slot
}

// slotNamed finds a device by a path such as /dev/sda1. It returns the index of the device in
// disks.components. For a partition, it returns the index of the device that has the partition. It
// returns -1 for a device that the system does not have.
func (s *pauseReader) slotNamed(path string) int {
	s.forgetSlots()
	slot, ok := s.named[path]
	if !ok {
		name := strings.TrimPrefix(path, "/dev/")
		if slot = s.disks.find(s.disks.system.Find(s.disks.server, topology.Device{Name: name})); slot < 0 {
			slot = s.disks.find(s.disks.system.Find(s.disks.server, topology.Device{Name: devname.Whole(name)}))
		}
		s.named[path] = slot
	}
	return slot
}

// forgetSlots clears the maps slots and named after the inventory has changed.
func (s *pauseReader) forgetSlots() {
	if n := s.disks.inventory.Changes(); n != s.changes {
		s.changes = n
		clear(s.slots)
		clear(s.named)
	}
}

// Put writes a step into its row, and drops earlier steps. The readers of all servers write into
// the same row at the same time, so Put writes only the entry of its own server.
func (s *pauseReader) Put(end int64, row *table.Row) {
	if len(s.steps) == 0 {
		return
	}
	if w := s.steps[end]; w != nil {
		row.Gauges[s.server] = w.ServerGauges
		for _, c := range slices.Sorted(maps.Keys(w.room)) {
			row.Gauges[s.server].Drives = append(row.Gauges[s.server].Drives, w.room[c])
		}
	}
	for at := range s.steps {
		if at <= end {
			delete(s.steps, at)
		}
	}
}

// Drop removes the steps that are not in a table row yet. machine.endEra calls Drop if the clock
// was wrong when the records of these steps were written.
func (s *pauseReader) Drop() { clear(s.steps) }
