package storetest

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/ingest/remotewrite"
	"github.com/limpet-storage/limpet/record/sysstat"
)

// recordsAtOnce is the number of records of one server that LoadActivity sends before it sends
// records of the next server. Prometheus refuses a sample that is more than an hour older than the
// newest sample. So the number is small, and the samples of all servers stay close in time.
const recordsAtOnce = 60

// LoadActivity sends the records of activity files as series of node_exporter. It does not send
// records after the given Unix time. It sends recordsAtOnce records of each server in turn.
func (l *Loader) LoadActivity(ctx context.Context, paths []string, until int64) error {
	byHost := map[string][]string{}
	for _, path := range paths {
		r, err := sysstat.Open(path)
		if err != nil {
			return err
		}
		host := r.Header().Hostname
		byHost[host] = append(byHost[host], path)
		r.Close()
	}
	var servers []*server
	for host, list := range byHost {
		slices.SortFunc(list, func(a, b string) int { return slices.Compare([]byte(filepath.Base(a)), []byte(filepath.Base(b))) })
		r, err := sysstat.OpenAll(list)
		if err != nil {
			return err
		}
		defer r.Close()
		servers = append(servers, &server{host: host, reader: r, until: until})
	}
	for len(servers) > 0 {
		for _, s := range servers {
			if err := s.send(ctx, l); err != nil {
				return err
			}
		}
		servers = slices.DeleteFunc(servers, func(s *server) bool { return s.ended })
	}
	return l.Flush(ctx)
}

// server is a storage server whose activity records LoadActivity sends as series.
type server struct {
	host   string
	reader *sysstat.Joined
	disks  []sysstat.Disk
	until  int64
	ended  bool
}

// send sends the next recordsAtOnce records of the server.
func (s *server) send(ctx context.Context, l *Loader) error {
	samples := map[string]*remotewrite.Series{}
	var order []string
	put := func(ms int64, v float64, labels ...string) {
		key := labels[0]
		for _, part := range labels[1:] {
			key += "\x00" + part
		}
		if samples[key] == nil {
			samples[key] = &remotewrite.Series{Labels: s.labels(labels)}
			order = append(order, key)
		}
		samples[key].Samples = append(samples[key].Samples, exporter.Sample{Time: ms, Value: v})
	}
	for range recordsAtOnce {
		record, err := s.reader.Next()
		if err != nil || record.Time > s.until {
			s.ended = true
			break
		}
		if record.Type == sysstat.Stats {
			s.record(record, put)
		}
	}
	for _, key := range order {
		if err := l.Add(ctx, *samples[key]); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) labels(pairs []string) []remotewrite.Label {
	list := []remotewrite.Label{{Name: "__name__", Value: pairs[0]}, {Name: "instance", Value: s.host + ":9100"}, {Name: "job", Value: "node"}}
	for i := 1; i+1 < len(pairs); i += 2 {
		list = append(list, remotewrite.Label{Name: pairs[i], Value: pairs[i+1]})
	}
	return list
}

const (
	sectorBytes    = 512
	ticksPerSecond = 1000
	bytesPerMbit   = 1e6 / 8
)

// record converts one record to series of node_exporter.
func (s *server) record(r *sysstat.Record, put func(ms int64, v float64, labels ...string)) {
	ms := r.Time * 1000
	put(ms, float64(r.Time)-float64(r.Uptime)/100, "node_boot_time_seconds")
	s.disks = r.Disks(s.disks[:0])
	names := s.reader.Inventory().Names(s.disks, nil)
	for i := range s.disks {
		d := &s.disks[i]
		seconds := func(name string, ticks uint32) {
			put(ms, float64(ticks)/ticksPerSecond, "node_disk_"+name+"_time_seconds_total", "device", names[i])
		}
		put(ms, float64(d.IOs), "node_disk_reads_completed_total", "device", names[i])
		put(ms, 0, "node_disk_writes_completed_total", "device", names[i])
		put(ms, float64(d.ReadSectors)*sectorBytes, "node_disk_read_bytes_total", "device", names[i])
		put(ms, float64(d.WriteSectors)*sectorBytes, "node_disk_written_bytes_total", "device", names[i])
		seconds("read", d.ReadTicks)
		seconds("write", d.WriteTicks)
		put(ms, float64(d.BusyTicks)/ticksPerSecond, "node_disk_io_time_seconds_total", "device", names[i])
		put(ms, float64(d.QueueTicks)/ticksPerSecond, "node_disk_io_time_weighted_seconds_total", "device", names[i])
		put(ms, 1, "node_disk_info", "device", names[i], "major", decimal(d.Major), "minor", decimal(d.Minor))
	}
	for _, n := range r.Interfaces(nil) {
		put(ms, float64(n.RxBytes), "node_network_receive_bytes_total", "device", n.Name)
		put(ms, float64(n.TxBytes), "node_network_transmit_bytes_total", "device", n.Name)
		put(ms, float64(n.RxPackets), "node_network_receive_packets_total", "device", n.Name)
		put(ms, float64(n.TxPackets), "node_network_transmit_packets_total", "device", n.Name)
		put(ms, float64(n.SpeedMbit)*bytesPerMbit, "node_network_speed_bytes", "device", n.Name)
	}
}

func decimal(n uint32) string { return strconv.FormatUint(uint64(n), 10) }
