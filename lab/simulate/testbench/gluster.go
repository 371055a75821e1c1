package testbench

// Hardware of the machines that a real GlusterFS was recorded on: servers in
// namespaces of one machine, each with a disk that is held to 3 MB/s and 150
// requests a second, and a link that is held to 36 Mbit/s. Clients' links are
// not held. Linux 6 has initial windows of 10.
const (
	glusterClientSpeed = 20    // of a client's link, against a server's
	vethMbit           = 10000 // that a virtual link claims, whatever it is held to
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

// hardware chooses what the cluster is made of.
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

// clientSpeed is that of a client's link, against a server's.
func (s *sim) clientSpeed() float64 {
	if s.e.Cluster.FileSystem == Gluster {
		return glusterClientSpeed
	}
	return 1
}

// nicMbit is the speed that interfaces claim.
func (s *sim) nicMbit() uint32 {
	if s.e.Cluster.FileSystem == Gluster {
		return vethMbit
	}
	return gigabitMbit
}

// What GlusterFS does.
const (
	glusterBlock = 256 << 10 // bytes that a client asks for at a time
	glusterShard = 4 << 20
	redundant    = 2 // fragments of a block, in a dispersed volume
	fileBlocks   = 480
	streams      = 2 // programs of a client
	readWindow   = 2 // blocks that a reader asks for before it has them
	thinkTime    = 0.02
)

// A part is what of a block is on a server.
type part struct {
	server int
	bytes  float64
}

// A glusterFile is one that a program reads or writes over and over.
type glusterFile struct {
	volume  Volume
	servers int
	shards  []int // by shard: its server
	first   int   // that a dispersed file is read from, where it is hashed
}

// newGlusterFile places a file. Its name is all that decides, so it lies where
// it lay before: with a few dozen shards in all, some servers have half as many
// again as others.
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

// parts lists where a block goes to, or comes from.
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
