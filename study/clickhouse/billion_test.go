package clickhouse

import (
	"context"
	"flag"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
)

var billion = flag.Int64("billion", 0, "drive hours that TestBillion loads into ClickHouse, about; 0: a few thousand")

// TestBillion loads a fleet into ClickHouse an hour at a time, without a file, and has it
// reduced there. A few thousand drive hours come out as those of files do; make billion
// does it with a billion.
func TestBillion(t *testing.T) {
	o := small()
	if *billion > 0 {
		o = fleet.DefaultOptions() // T16's shape and days, 13 drives a group
		groups := int(*billion / int64(o.Days) / 24 / 13)
		o.DiskGroups = groups * o.DiskGroups / (o.DiskGroups + o.SSDGroups)
		o.SSDGroups = groups - o.DiskGroups
	}
	s := startServers(t, 1)[0]
	begun := time.Now()
	rows := s.stream("records", o)
	loaded := time.Since(begun)
	settings := DefaultOptions()
	settings.Table, settings.Progress = "records", &Progress{}
	store, err := Open(t.Context(), s.DSN(), settings)
	s.must(err)
	defer store.Close()
	before, begun := s.cpu(), time.Now()
	got, err := store.Reduce(t.Context(), study.DefaultOptions())
	s.must(err)
	t.Logf("%d drive hours in ClickHouse (%d MB): reduced in %.1f s, CPU of the server %.1f s, its peak %d MB, on %d cores, each record read %.1f times for two queries; loaded in %.1f s",
		rows, s.tableMB("records"), time.Since(begun).Seconds(), (s.cpu() - before).Seconds(), s.peakMB(), runtime.NumCPU(),
		float64(settings.Progress.Read())/float64(rows), loaded.Seconds())
	if *billion > 0 {
		return
	}
	want, _ := simulated(t, o).reduce(t, nil, study.DefaultOptions())
	if got.Accounts[study.All].Rows != rows || !reflect.DeepEqual(got.Accounts, want.Accounts) {
		t.Errorf("ClickHouse counts %+v, files %+v", got.Accounts[study.All], want.Accounts[study.All])
	}
}

// hoursAtOnce are sent as one part of the table.
const hoursAtOnce = 12

// stream fills a table with the records of a fleet as it is drawn.
func (s *server) stream(table string, o fleet.Options) (rows int64) {
	s.Helper()
	s.Exec("CREATE TABLE " + table + " (time DateTime, `group` String, drive String, role String, ios UInt32, " +
		"latency_us Nullable(UInt32), size_bytes Nullable(UInt32)) " + byTime)
	f, err := fleet.New(o)
	s.must(err)
	c := &columns{drives: f.Drives()}
	hours := 0
	for h := range f.Hours() {
		c.add(h)
		if hours++; hours%hoursAtOnce == 0 {
			rows += c.send(s, table)
		}
	}
	return rows + c.send(s, table)
}

// columns are records by column, which the driver takes as they are.
type columns struct {
	drives             []fleet.Drive
	time               []time.Time
	group, drive, role []string
	ios                []uint32
	latency, size      []*uint32
}

func (c *columns) add(h *fleet.Hour) {
	values := make([]uint32, 2*len(h.IOs))
	for i, n := range h.IOs {
		if n == fleet.Absent {
			continue
		}
		d := &c.drives[i]
		c.time, c.group, c.drive, c.role = append(c.time, h.Time), append(c.group, d.Group), append(c.drive, d.Name), append(c.role, string(d.Role))
		c.ios = append(c.ios, uint32(n))
		latency, size := &values[2*i], &values[2*i+1]
		if *latency, *size = uint32(h.LatencyUs[i]), uint32(h.SizeBytes[i]); n == 0 {
			latency, size = nil, nil
		}
		c.latency, c.size = append(c.latency, latency), append(c.size, size)
	}
}

// send sends what there is.
func (c *columns) send(s *server, table string) (rows int64) {
	s.Helper()
	if rows = int64(len(c.time)); rows == 0 {
		return 0
	}
	b, err := s.Conn.PrepareBatch(s.Context(), "INSERT INTO "+table+" (time, `group`, drive, role, ios, latency_us, size_bytes)")
	s.must(err)
	for i, column := range []any{c.time, c.group, c.drive, c.role, c.ios, c.latency, c.size} {
		s.must(b.Column(i).Append(column))
	}
	s.must(b.Send())
	*c = columns{drives: c.drives, time: c.time[:0], group: c.group[:0], drive: c.drive[:0], role: c.role[:0], ios: c.ios[:0], latency: c.latency[:0], size: c.size[:0]}
	return rows
}

// tableMB is what a table takes on disk.
func (s *server) tableMB(table string) int64 {
	s.Helper()
	var bytes uint64
	s.must(s.Conn.QueryRow(context.Background(), "SELECT toUInt64(sum(bytes)) FROM system.parts WHERE active AND table = '"+table+"'").Scan(&bytes))
	return int64(bytes >> 20)
}

// cpu is what the server has used, by Linux; 0 elsewhere.
func (s *server) cpu() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.PID()))
	_, rest, ok := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if err != nil || !ok || len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / 100
}

// peakMB is the most memory that the server had, by Linux; 0 elsewhere.
func (s *server) peakMB() int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.PID()))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kB, _ := strconv.ParseInt(strings.Fields(rest + " 0")[0], 10, 64)
	return kB >> 10
}
