package testbench

// The hardware on which a real GlusterFS was recorded: servers in namespaces of one machine. The
// disk of each server is limited to 3 MB/s and 150 requests a second, its link to 36 Mbit/s. The
// links of clients have no limit. Linux 6 has initial windows of 10.
const (
	glusterClientSpeed = 20    // speed of a client's link, relative to a server's link
	vethMbit           = 10000 // speed that a virtual link reports, independent of its limit
)

func heldLinks() network {
	return network{LinkBytes: 4.3e6, RoundTrip: 3e-3, BufferSegments: 270, InitialCwnd: 10, MaxCwnd: 90, Loss: 3e-5, SpillSeconds: 1.2, RACK: true}
}

func heldDisk() Model {
	return Model{
		Name: "held", BytesPerSecond: 3e6, Size: 2e9, LeastSeconds: 1. / 150, RequestBytes: 128 << 10,
		LayoutSpread: 0.03, HogBytes: 1e6, StrangeBytes: 256e3,
	}
}

// hardware chooses the network and the disks of the cluster.
func (s *sim) hardware() {
	s.net, s.model = gigabit(), barracudaModel()
	if s.e.Cluster.FileSystem == Gluster {
		s.net, s.model = heldLinks(), heldDisk()
	}
	if s.e.Conditions.Management {
		s.net.InitialCwnd, s.net.RACK = 10, true
	}
	s.net.BBR = s.e.Conditions.BBR
}

// clientSpeed returns the speed of a client's link, relative to a server's link.
func (s *sim) clientSpeed() float64 {
	if s.e.Cluster.FileSystem == Gluster {
		return glusterClientSpeed
	}
	return 1
}

// nicMbit returns the speed that interfaces report.
func (s *sim) nicMbit() uint32 {
	if s.e.Cluster.FileSystem == Gluster {
		return vethMbit
	}
	return gigabitMbit
}

// The settings of GlusterFS and its clients.
const (
	glusterBlock = 256 << 10 // bytes of a client's request
	glusterShard = 4 << 20
	redundant    = 2 // number of redundant fragments of a block in a dispersed volume
	fileBlocks   = 480
	streams      = 2 // number of programs of a client
	readWindow   = 2 // number of blocks that a reader requests in advance
	thinkTime    = 0.02
)

// A part is the part of a block that one server has.
type part struct {
	server int
	bytes  float64
}

// A glusterFile is a file that a program reads or writes again and again.
type glusterFile struct {
	volume  Volume
	servers int
	shards  []int // by shard: its server
	first   int   // first server from which a dispersed file is read, if the volume is Hashed
}

// newGlusterFile places a file. Its place depends on its number alone, so it is the same each time.
// With a few dozen shards in all, some servers have 1.5 times as many shards as others.
func (s *sim) newGlusterFile(number int) *glusterFile {
	rng := source(s.e.Seed, "placement", number)
	f := &glusterFile{volume: s.e.Conditions.Volume, servers: len(s.servers), first: rng.IntN(len(s.servers))}
	if f.volume == "" {
		f.volume = Sharded
	}
	for range fileBlocks * glusterBlock / glusterShard {
		f.shards = append(f.shards, rng.IntN(len(s.servers)))
	}
	return f
}

// parts returns the servers to which a block is written, or from which it is read.
func (f *glusterFile) parts(dst []part, block int, write bool) []part {
	if f.volume == Sharded {
		return append(dst, part{f.shards[block*glusterBlock/glusterShard%len(f.shards)], glusterBlock})
	}
	data := f.servers - redundant
	first, n := 0, f.servers
	if !write {
		first, n = block, data
		if f.volume == Hashed {
			first = f.first
		}
	}
	for i := range n {
		dst = append(dst, part{(first + i) % f.servers, glusterBlock / float64(data)})
	}
	return dst
}
