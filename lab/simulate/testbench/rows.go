package testbench

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/topology"
)

// A Run is a running experiment as a stream of rows, one for each second. The rows are those that
// its activity files would give.
type Run struct {
	sim     *sim
	system  *topology.System
	schema  table.Schema
	row     *table.Row
	servers []observed
}

// observed has the components of a server in the rows, and its counters at the last row.
type observed struct {
	drive, nic, host int // component indexes
	disk             metric.Disk
	network          metric.NIC
	out, in          tally
	exchanged        uint64 // bytes sent to other servers
}

// Run starts the experiment.
func (e *Experiment) Run() (*Run, error) {
	if err := e.Validate(); err != nil {
		return nil, err
	}
	system, err := e.System()
	if err != nil {
		return nil, err
	}
	r := &Run{sim: newSim(e), system: system, schema: table.Schema{
		StepSeconds: 1, Metrics: metric.All(), Components: len(system.Components), Servers: len(system.Servers),
	}}
	r.schema.Load = metric.Index(r.schema.Metrics, metric.TPS.Name)
	r.row = table.NewRow(r.schema)
	for _, s := range r.sim.servers {
		o, err := observe(system, s)
		if err != nil {
			return nil, err
		}
		r.servers = append(r.servers, o)
	}
	return r, nil
}

func observe(system *topology.System, s *server) (observed, error) {
	drive, a := system.Find(s.name, topology.Device{Name: diskName})
	nic, b := system.FindInterface(s.name, nicName)
	host, c := system.FindHost(s.name)
	if !a || !b || !c {
		return observed{}, fmt.Errorf("the topology of server %s has no disk or no network interface", s.name)
	}
	return observed{drive: drive, nic: nic, host: host, disk: s.diskCounters(), network: s.nicCounters(s.sim)}, nil
}

// System returns the cluster of the rows.
func (r *Run) System() *topology.System { return r.system }

// Schema returns the schema of the rows.
func (r *Run) Schema() table.Schema { return r.schema }

// Next returns the next second, valid until the following call, or io.EOF.
func (r *Run) Next() (*table.Row, error) {
	if r.sim.over() {
		return nil, cmp.Or(r.sim.givenUp(), io.EOF)
	}
	r.sim.advance()
	r.row.Clear()
	r.row.End = r.sim.e.Start.Unix() + int64(r.sim.seconds())
	for i := range r.servers {
		r.servers[i].fill(r.row, r.sim.servers[i])
		r.row.Heard[i] = true
	}
	return r.row, nil
}

func (o *observed) fill(row *table.Row, s *server) {
	disk, network := s.diskCounters(), s.nicCounters(s.sim)
	work, _ := disk.Since(&o.disk)
	traffic, _ := network.Since(&o.network)
	o.disk, o.network = disk, network
	place := 0
	for _, v := range work.Values(1) {
		row.Values[place][o.drive] = v
		place++
	}
	for _, v := range traffic.Values(1) {
		row.Values[place][o.nic] = v
		place++
	}
	for _, v := range o.hostValues(s) {
		row.Values[place][o.host] = v
		place++
	}
}

// hostValues returns the values of metric.Host. Third parties are not counted: a third party that
// was dialled is no client, and a third party that dialled gets only acknowledgments.
func (o *observed) hostValues(s *server) []float64 {
	watched := len(s.sim.watched())
	out, in := o.out.take(slices.Concat(s.down, s.accepted)), o.in.take(s.up[:watched])
	now := s.exchange()
	exchanged := float64(now - o.exchanged)
	o.exchanged = now
	shrinks, _ := s.sim.e.Conditions.control().ShrinksOnLoss()
	shrink := 0.0
	if shrinks {
		shrink = 1
	}
	return []float64{
		meanCwnd(s.down[:watched]), meanCwnd(s.up[:watched]),
		float64(out.retransmitted), float64(in.retransmitted), float64(out.delivered), float64(in.delivered),
		out.cwnds.Value(), in.cwnds.Value(), shrink, shrink,
		exchanged, exchanged,
	}
}

// exchange returns the bytes that the server has sent to other servers. The other servers send as much.
func (s *server) exchange() (bytes uint64) {
	for _, c := range slices.Concat(s.accepted, s.dialled) {
		sent, _, _ := c.carried()
		bytes += uint64(sent)
	}
	return bytes
}

// watched returns the clients on which cwnd is recorded.
func (s *sim) watched() []*client {
	if s.e.Watched == 0 {
		return s.clients
	}
	return s.clients[:s.e.Watched]
}

func meanCwnd(conns []*conn) float64 {
	sum := 0.0
	for _, c := range conns {
		sum += c.window()
	}
	return sum / float64(len(conns))
}

// diskCounters returns the counters of the disk as the kernel shows them.
func (s *server) diskCounters() metric.Disk {
	c := s.disk.Counters()
	return metric.Disk{
		IOs: c.IOs, ReadSectors: uint64(c.ReadBytes / 512), WriteSectors: uint64(c.WriteBytes / 512),
		ReadMs: millis(c.ReadSeconds), WriteMs: millis(c.WriteSeconds), BusyMs: millis(c.BusySeconds), QueueMs: millis(c.QueueSeconds),
	}
}

// millis returns a time as kernels count it.
func millis(seconds float64) uint32 { return uint32(uint64(1000 * seconds)) }

func (h *host) nicCounters(s *sim) metric.NIC {
	return metric.NIC{
		RxPackets: uint64(h.nic.RxPackets), TxPackets: uint64(h.nic.TxPackets),
		RxBytes: uint64(h.nic.RxBytes), TxBytes: uint64(h.nic.TxBytes), Speed: uint64(s.nicMbit()) * 125_000,
	}
}
