package testbench

// rates are the mean rates of a workload without a fault. Either the disks or the clients limit
// them. They decide only how much work a run has, so that it takes about 600 s without a fault (F10
// §8).
type rates struct {
	record    float64 // bytes of PVFS's records (F10 §8.1)
	perServer float64 // bytes a second
	perClient float64
	phases    int
	perMark   float64 // transactions of PostMark a second and client
}

const (
	mb       = 1 << 20
	duration = 600 // seconds
)

var workloads = map[FileSystem]map[Workload]rates{
	PVFS: {
		DDR:      {record: 40 * mb, perServer: 60e6, perClient: 45e6, phases: 1},
		DDW:      {record: 40 * mb, perServer: 60e6, perClient: 43e6, phases: 1},
		IOzoneR:  {record: 16 * mb, perServer: 50e6, perClient: 36e6, phases: 2},
		IOzoneW:  {record: 16 * mb, perServer: 50e6, perClient: 35e6, phases: 2},
		PostMark: {perMark: 22.5},
	},
	Lustre: {
		DDR:      {perServer: 54e6, perClient: 115e6, phases: 1},
		DDW:      {perServer: 40e6, perClient: 115e6, phases: 1},
		IOzoneR:  {perServer: 56e6, perClient: 115e6, phases: 2},
		IOzoneW:  {perServer: 40e6, perClient: 115e6, phases: 2},
		PostMark: {perMark: 48},
	},
	Gluster: {PostMark: {perMark: 14}},
}

// bytes returns the bytes that one client moves in a phase.
func (r *rates) bytes(c Cluster) float64 {
	total := min(r.perServer*float64(c.Servers), r.perClient*float64(c.Clients)) * duration
	return total / float64(c.Clients) / float64(r.phases)
}

// assign gives every client its program.
func (s *sim) assign() {
	first := source(s.e.Seed, "directories", 0).IntN(len(s.servers))
	for i, c := range s.clients {
		c.program = s.program(i, (first+i)%len(s.servers))
	}
}

func (s *sim) program(client, directory int) program {
	r := workloads[s.e.Cluster.FileSystem][s.e.Workload]
	if s.e.Cluster.FileSystem == Gluster && s.e.Workload != PostMark {
		return s.newGlusterClient(client)
	}
	if s.e.Workload == PostMark {
		return &postMark{dialect: s.dialect(directory), transactions: int(r.perMark * duration)}
	}
	writes := s.e.Workload == DDW || s.e.Workload == IOzoneW
	bytes := r.bytes(s.e.Cluster)
	stripes := max(1, int(bytes/lustreStripe))
	switch {
	case s.e.Cluster.FileSystem == PVFS:
		return &records{write: writes, bytes: r.record, count: max(1, int(bytes/r.record)), phases: r.phases}
	case writes:
		return newWriteBehind(len(s.servers), stripes, r.phases)
	}
	return newReadAhead(len(s.servers), stripes, r.phases)
}

func (s *sim) dialect(directory int) dialect {
	switch s.e.Cluster.FileSystem {
	case PVFS:
		return pvfsMark{directory: directory}
	case Gluster:
		return newGlusterMark(s)
	}
	return &lustreMark{}
}
