package testbench

// An action is what an operation needs of the server's disk.
type action uint8

const (
	reply  action = iota // nothing
	read                 // a stretch
	write                // a stretch
	commit               // metadata: with all others that wait, in one write
	store                // a stretch, some time later
)

// An op is one thing that a client asks of one server.
type op struct {
	client  *client
	server  *server
	action  action
	request float64 // bytes to the server
	answer  float64 // bytes back
	at      float64 // on the disk
	bytes   float64 // there
	tag     int     // for the program that asked
}

// rpcBytes is the size of a request or an answer without data.
const rpcBytes = 250

// metaBytes is what a commit writes for each operation, and where.
const (
	metaBytes = 4096
	metaAt    = 0.4 // of the disk
)

// A server is a file server with one disk.
type server struct {
	*host
	index int
	sim   *sim
	disk  *Disk[*op]
	up    []*conn // from each client, by its index
	down  []*conn // to each client

	queue      []*op // for a thread
	head       int
	working    int     // threads
	journal    float64 // bytes of metadata that are not yet in their place
	journalMax float64
	waiting    []*op // for the next commit
	committing []*op
	commitOp   op
	placeOp    op // of the journal
	hogs       []hog
	cache      *cache // nil where writes go to the disk at once

	accepted, dialled []*conn // of other servers
}

// arrived takes a request.
func (s *server) arrived(o *op) {
	switch {
	case o.action == reply:
		s.answer(o)
	case o.action == store:
		s.cache.store(o)
	case o.action == commit && s.cache != nil:
		s.cache.sync(o)
	case o.action == commit:
		s.waiting = append(s.waiting, o)
		s.commit()
	default:
		s.queue = append(s.queue, o)
		s.start()
	}
}

// threads is how many requests a server works on at a time: what Lustre starts
// on two processors and 4 GB; PVFS has fewer clients than that.
const threads = 64

// start lets idle threads take what waits.
func (s *server) start() {
	for ; s.working < threads && s.head < len(s.queue); s.head++ {
		o := s.queue[s.head]
		s.working++
		s.disk.Submit(o, o.action == write, o.at, o.bytes)
	}
	if s.head == len(s.queue) {
		s.queue, s.head = s.queue[:0], 0
	}
}

// commit writes the metadata of all who wait, unless a write is under way.
func (s *server) commit() {
	if len(s.committing) > 0 || len(s.waiting) == 0 {
		return
	}
	s.committing, s.waiting = s.waiting, s.committing[:0]
	s.disk.Submit(&s.commitOp, true, metaAt*s.sim.model.Size, metaBytes*float64(len(s.committing)))
}

// finished takes what the disk is done with.
func (s *server) finished(o *op) {
	switch {
	case s.cache != nil && o == &s.cache.op:
		s.cache.finished()
	case o == &s.commitOp:
		for _, c := range s.committing {
			s.answer(c)
		}
		s.checkpoint(len(s.committing))
		s.committing = s.committing[:0]
		s.commit()
	case o == &s.placeOp:
	case o.client == nil:
		s.hogs[o.tag].finished(s.disk.Now())
	default:
		s.working--
		s.start()
		s.answer(o)
	}
}

const journalBytes = 2e6 // of metadata, about

// checkpoint lets what was committed go to its place when enough has come
// together.
func (s *server) checkpoint(commits int) {
	s.journal += metaBytes * float64(commits)
	if s.journal < s.journalMax {
		return
	}
	if s.journalMax > 0 {
		s.disk.Submit(&s.placeOp, true, (metaAt+0.01)*s.sim.model.Size, s.journal)
	}
	s.journal = 0
	s.journalMax = journalBytes * (0.5 + s.rng.Float64())
}

func (s *server) answer(o *op) {
	s.down[o.client.index].send(s.sim.down, o, o.answer, s.sim.now)
}

// work lets the disk serve until the given time.
func (s *server) work(until float64) {
	for i := range s.hogs {
		s.hogs[i].ask(s.disk)
	}
	if s.cache != nil {
		s.cache.work(s.disk.Now())
	}
	s.disk.Work(until)
}

// A hog is a process on the server that reads an unused partition in blocks
// of 256 MB by direct I/O (F10 §9): as many requests at a time as the kernel
// takes of a process.
type hog struct {
	op       op
	share    float64 // of the time that it reads
	at       float64
	bytes    float64 // that it asks for at once
	waiting  bool
	issued   float64
	resumeAt float64
}

const hogAt = 0.8 // of the disk

func (h *hog) ask(d *Disk[*op]) {
	if h.waiting || d.Now() < h.resumeAt {
		return
	}
	h.waiting, h.issued = true, d.Now()
	d.Submit(&h.op, false, h.at, h.bytes)
	h.at += h.bytes
}

func (h *hog) finished(now float64) {
	h.waiting = false
	h.resumeAt = now + (now-h.issued)*(1/h.share-1)
}
