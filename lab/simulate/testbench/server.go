package testbench

// An action is the work of a server's disk for an operation.
type action uint8

const (
	reply  action = iota // no work
	read                 // read a range
	write                // write a range
	commit               // write metadata, in one write with all waiting commits
	store                // write a range later
)

// An op is an operation that a client requests from one server.
type op struct {
	client  *client
	server  *server
	action  action
	request float64 // bytes to the server
	answer  float64 // bytes back
	at      float64 // position on the disk
	bytes   float64 // size on the disk
	tag     int     // mark for the program that issued the operation
}

// rpcBytes is the size of a request or an answer without data.
const rpcBytes = 250

// metaBytes is the size of the metadata of one operation, metaAt their position.
const (
	metaBytes = 4096
	metaAt    = 0.4 // share of the disk
)

// A server is a file server with one disk.
type server struct {
	*host
	index int
	sim   *sim
	disk  *Disk[*op]
	up    []*conn // from each client, by its index
	down  []*conn // to each client

	queue      []*op // operations that wait for a thread
	head       int
	working    int     // number of threads
	journal    float64 // bytes of metadata that are only in the journal
	journalMax float64
	waiting    []*op // operations that wait for the next commit
	committing []*op
	commitOp   op
	placeOp    op // operation that writes the journal to its place
	hogs       []hog
	cache      *cache // nil: writes go to the disk at once

	accepted, dialled []*conn // connections with other servers
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

// threads is the number of requests that a server works on at a time: the number that Lustre starts
// on two processors and 4 GB. PVFS has fewer clients.
const threads = 64

// start gives waiting operations to idle threads.
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

// commit writes the metadata of all waiting operations, unless a commit is in progress.
func (s *server) commit() {
	if len(s.committing) > 0 || len(s.waiting) == 0 {
		return
	}
	s.committing, s.waiting = s.waiting, s.committing[:0]
	s.disk.Submit(&s.commitOp, true, metaAt*s.sim.model.Size, metaBytes*float64(len(s.committing)))
}

// finished takes an operation that the disk has finished.
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

const journalBytes = 2e6 // approximate size of the journal

// checkpoint writes committed metadata to their place if the journal is full.
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

// work simulates the disk until the given time.
func (s *server) work(until float64) {
	for i := range s.hogs {
		s.hogs[i].ask(s.disk)
	}
	if s.cache != nil {
		s.cache.work(s.disk.Now())
	}
	s.disk.Work(until)
}

// A hog is a process on the server that reads an unused partition in blocks of 256 MB by direct I/O
// (F10 §9). It has as many requests in flight as the kernel allows a process.
type hog struct {
	op       op
	share    float64 // share of the time in which it reads
	at       float64
	bytes    float64 // bytes that it requests at once
	waiting  bool
	issued   float64
	resumeAt float64
}

const hogAt = 0.8 // share of the disk

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
