package blkprobe

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sync/atomic"
	"time"

	"github.com/limpet-storage/limpet/record/blklat"
)

// order is that of numbers in the kernel's memory.
var order = binary.NativeEndian

// A Probe is programs that count. It is for one goroutine.
type Probe struct {
	Way string // the kind of hooks that counts requests

	memory   memory
	close    func() error
	run      uint64
	sequence uint64
	early    uint64       // requests that were under way at the begin
	spent    atomic.Int64 // ns
	owners   []uint64     // of the blocks, as far as known
	head     []byte       // of a block
	block    []byte
	ledgers  []*ledger // by device and operation
	own      map[uint32]*ownBlock
	item     blklat.Item
	device   [blklat.Buckets]uint32 // of the item at hand
	queue    [blklat.Buckets]uint32
}

// A ledger is what is known of one operation of a device.
type ledger struct {
	device uint32
	op     blklat.Op
	shards []*shard
	own    *ownBlock
	// Sums since the run began.
	requests, deviceNs, queueNs uint64
	unqueued                    int64 // requests that queues lack yet
}

// A shard is a block of an operation, with what it held at the sample before.
type shard struct {
	number int
	last   []byte
}

// ownBlock is the block of a device.
type ownBlock struct {
	number int    // 0: not known yet
	most   uint32 // in flight, of the sample at hand
}

func newReader(m memory, blocks int) *Probe {
	return &Probe{
		memory: m, owners: make([]uint64, blocks), own: map[uint32]*ownBlock{},
		head: make([]byte, headSize), block: make([]byte, size),
	}
}

// Spent is the time that programs took of processors until the latest sample, of
// which one run in a thousand was timed. Any goroutine may ask.
func (p *Probe) Spent() time.Duration { return time.Duration(p.spent.Load()) }

// Close ends the counting.
func (p *Probe) Close() error { return p.close() }

// Append appends what the requests of wanted devices did since the sample
// before, as blklat keeps it. Of other devices it stays to be told. It takes
// memory only where a device does something for the first time. After an error
// what was appended is of no use: the histograms of this sample are lost, as its
// number tells, its sums are not.
func (p *Probe) Append(dst []byte, wanted func(major, minor uint32) bool) ([]byte, error) {
	missed, err := p.survey()
	if err != nil {
		return dst, err
	}
	p.sequence++
	dst = blklat.AppendHead(dst, p.run, p.sequence, missed)
	for _, l := range p.ledgers {
		if !wanted(numbers(l.device)) {
			continue
		}
		did, err := p.advance(l)
		if err != nil {
			return dst, err
		}
		if did {
			dst = blklat.AppendItem(dst, &p.item)
		}
	}
	return dst, nil
}

func numbers(device uint32) (major, minor uint32) {
	return device >> minorBits, device & (1<<minorBits - 1)
}

// mostUnowned is how many blocks without an owner may stand ahead of one that
// has: those that processors took at once and put back. Blocks are taken in
// order, and what was never touched takes no memory here.
const mostUnowned = 64

// survey looks for blocks that have a new owner, and at what devices have in
// flight.
func (p *Probe) survey() (missed uint64, err error) {
	unowned := 0
	for number := range p.owners {
		if err := p.readHead(number); err != nil {
			return 0, err
		}
		if number == 0 {
			missed = p.missed()
			p.spent.Store(int64(order.Uint64(p.head[atSpentNs:])) * runsToTimed)
			continue
		}
		owner := order.Uint64(p.head[blockAtOwner:])
		if unowned++; owner != 0 {
			unowned = 0
		} else if unowned == mostUnowned {
			break
		}
		if owner != p.owners[number] {
			p.owners[number] = owner
			p.register(number, owner)
		}
		if own := p.own[uint32(owner)]; own != nil && own.number == number {
			if err := p.lookInFlight(own); err != nil {
				return 0, err
			}
		}
	}
	return missed, nil
}

// lookInFlight takes the most that a device had in flight from the head of its
// block, and has it begin anew with what it has now.
func (p *Probe) lookInFlight(own *ownBlock) error {
	own.most = order.Uint32(p.head[atMost:])
	issued, left := p.head[atIssued:][:4], p.block[:4]
	if _, err := p.memory.ReadAt(left, at(own.number)+atLeft); err != nil {
		return err
	}
	again := p.head[atMost:][:8]                                 // with AtCheck
	inFlight := int32(order.Uint32(issued) - order.Uint32(left)) // some may have left between the two
	order.PutUint32(again, uint32(max(inFlight, 0)))
	order.PutUint32(again[4:], order.Uint32(issued))
	_, err := p.memory.WriteAt(again, at(own.number)+atMost)
	return err
}

// missed is how many requests could not be counted, by the head of block 0.
// Those that nobody saw issued count only when all that were under way at the
// begin must have ended.
func (p *Probe) missed() uint64 {
	unseen := order.Uint64(p.head[atUnseen:])
	if p.sequence < settledSamples {
		p.early = unseen
	}
	return order.Uint64(p.head[atMissed:]) + unseen - p.early
}

// settledSamples is after how many samples, of a second each, no request is
// under way that was so at the begin: Linux gives one up after 30 s.
const settledSamples = 60

func (p *Probe) readHead(number int) error {
	_, err := p.memory.ReadAt(p.head, at(number))
	return err
}

func at(number int) int64 { return int64(number) * size }

// register notes whose a block is.
func (p *Probe) register(number int, owner uint64) {
	device, op := uint32(owner), uint8(owner>>opShift)
	own := p.own[device]
	if own == nil {
		own = &ownBlock{}
		p.own[device] = own
	}
	if op == ownDevice {
		own.number = number
		return
	}
	i, ok := slices.BinarySearchFunc(p.ledgers, &ledger{device: device, op: blklat.Op(op)}, (*ledger).compare)
	if !ok {
		p.ledgers = slices.Insert(p.ledgers, i, &ledger{device: device, op: blklat.Op(op), own: own})
	}
	l := p.ledgers[i]
	l.shards = append(l.shards, &shard{number: number, last: make([]byte, size)})
}

func (l *ledger) compare(other *ledger) int {
	return cmp.Or(cmp.Compare(l.device, other.device), cmp.Compare(l.op, other.op))
}

// advance makes the item of what a device did, and says whether it did
// anything.
func (p *Probe) advance(l *ledger) (did bool, err error) {
	major, minor := numbers(l.device)
	p.item = blklat.Item{Major: major, Minor: minor, Op: l.op, MostInFlight: l.own.most, Device: p.item.Device[:0], Queue: p.item.Queue[:0]}
	for _, s := range l.shards {
		grew, err := p.grew(s)
		if err != nil {
			return did, err
		}
		if grew {
			l.add(s.last, p.block)
			p.add(s.last, p.block)
			copy(s.last, p.block)
			did = true
		}
	}
	if did {
		p.finish(l)
	}
	return did, nil
}

// grew says whether a shard has counted anything, and reads it if so.
func (p *Probe) grew(s *shard) (bool, error) {
	if err := p.readHead(s.number); err != nil {
		return false, err
	}
	const from, to = atRequeues, atSizes + 4*blklat.Sizes
	if bytes.Equal(s.last[from:to], p.head[from:to]) {
		return false, nil
	}
	_, err := p.memory.ReadAt(p.block, at(s.number))
	return err == nil, err
}

// grown is by how much a counter of 32 bits is larger than it was.
func grown(was, is []byte, at int) uint32 { return order.Uint32(is[at:]) - order.Uint32(was[at:]) }

func grown64(was, is []byte, at int) uint64 { return order.Uint64(is[at:]) - order.Uint64(was[at:]) }

// add adds the growth of a shard to the sums.
func (l *ledger) add(was, is []byte) {
	l.deviceNs += grown64(was, is, atDeviceNs)
	l.queueNs += grown64(was, is, atQueueNs)
}

// add adds the growth of a shard to the item and its histograms.
func (p *Probe) add(was, is []byte) {
	i := &p.item
	i.Bytes += grown64(was, is, atBytes)
	i.Errors += uint64(grown(was, is, atErrors))
	i.Requeues += uint64(grown(was, is, atRequeues))
	for class := range i.Sizes {
		i.Sizes[class] += uint64(grown(was, is, atSizes+4*class))
	}
	for b := range blklat.Buckets {
		p.device[b] += grown(was, is, atDevice+4*b)
		p.queue[b] += grown(was, is, atQueue+4*b)
	}
}

// finish makes histograms of the buckets, which are empty then, and completes
// the item.
func (p *Probe) finish(l *ledger) {
	p.addUnqueued(l)
	i := &p.item
	for b := range blklat.Buckets {
		if n := p.device[b]; n > 0 {
			i.Device = append(i.Device, blklat.Count{Bucket: uint16(b), Requests: n})
		}
		if n := p.queue[b]; n > 0 {
			i.Queue = append(i.Queue, blklat.Count{Bucket: uint16(b), Requests: n})
		}
	}
	clear(p.device[:])
	clear(p.queue[:])
	l.requests += i.Device.Requests()
	i.Requests, i.DeviceNs, i.QueueNs = l.requests, l.deviceNs, l.queueNs
}

// addUnqueued adds the requests that did not queue to the first bucket of queues.
// A request that is being counted may stand among queues already and among
// devices not yet: then the next sample has one less to add.
func (p *Probe) addUnqueued(l *ledger) {
	for b := range blklat.Buckets {
		l.unqueued += int64(p.device[b]) - int64(p.queue[b])
	}
	if l.unqueued > 0 {
		p.queue[0] += uint32(l.unqueued)
		l.unqueued = 0
	}
}
