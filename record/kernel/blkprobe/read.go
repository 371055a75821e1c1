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

// order is the byte order of numbers in the kernel's memory.
var order = binary.NativeEndian

// A Probe reads the counts of the programs in the kernel. It is for one goroutine.
type Probe struct {
	HookKind string // the kind of hooks that counts requests

	memory   memory
	close    func() error
	run      uint64
	sequence uint64
	early    uint64       // requests that were under way when the programs were attached
	spent    atomic.Int64 // CPU time of the programs, ns
	owners   []uint64     // by block; 0: not known
	head     []byte       // head of the block that was read last
	block    []byte
	ledgers  []*ledger // sorted by device and operation
	own      map[uint32]*ownBlock
	item     blklat.Item
	device   [blklat.Buckets]uint32 // buckets of the current item
	queue    [blklat.Buckets]uint32
}

// A ledger holds the sums of one operation of a device.
type ledger struct {
	device uint32
	op     blklat.Op
	shards []*shard
	own    *ownBlock
	// Sums since the start of the run.
	requests, deviceNs, queueNs uint64
	unqueued                    int64 // requests that are not in the histogram of queues yet
}

// A shard is a block of an operation, with its content at the sample before.
type shard struct {
	number int
	last   []byte
}

// ownBlock is the block of a device.
type ownBlock struct {
	number int    // 0: not known yet
	most   uint32 // most requests in flight, in the current sample
}

func newReader(m memory, blocks int) *Probe {
	return &Probe{
		memory: m, owners: make([]uint64, blocks), own: map[uint32]*ownBlock{},
		head: make([]byte, headSize), block: make([]byte, size),
	}
}

// Spent returns the CPU time of the programs until the latest sample, estimated from one run in
// 1024. Any goroutine may call it.
func (p *Probe) Spent() time.Duration { return time.Duration(p.spent.Load()) }

// Close stops the counting.
func (p *Probe) Close() error { return p.close() }

// Append appends the counts of the wanted devices since the sample before, in the form of blklat.
// The counts of other devices stay for a later sample. Append allocates memory only when a device
// does an operation for the first time. After an error, do not use the appended bytes: the
// histograms of this sample are lost, and readers see a gap in the sequence numbers. The sums are
// not lost.
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

// mostUnowned is the largest number of blocks without an owner before a block with an owner. Such a
// block was taken by a processor at the same time as another processor took a block for the same
// owner, and then put back. Blocks are taken in order, so the blocks after that were never used and
// take no memory here.
const mostUnowned = 64

// survey finds the blocks that have a new owner, and reads how many requests each device has in
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

// lookInFlight reads the maximum in flight of a device from the head of its block, and resets the
// maximum to the number in flight now.
func (p *Probe) lookInFlight(own *ownBlock) error {
	own.most = order.Uint32(p.head[atMost:])
	issued, left := p.head[atIssued:][:4], p.block[:4]
	if _, err := p.memory.ReadAt(left, at(own.number)+atLeft); err != nil {
		return err
	}
	again := p.head[atMost:][:8]                                 // atMost and atCheck
	inFlight := int32(order.Uint32(issued) - order.Uint32(left)) // requests may have left between the two reads
	order.PutUint32(again, uint32(max(inFlight, 0)))
	order.PutUint32(again[4:], order.Uint32(issued))
	_, err := p.memory.WriteAt(again, at(own.number)+atMost)
	return err
}

// missed returns how many requests could not be counted, from the head of block 0. Requests whose
// issue was not seen count only after all requests from before the start must have ended.
func (p *Probe) missed() uint64 {
	unseen := order.Uint64(p.head[atUnseen:])
	if p.sequence < settledSamples {
		p.early = unseen
	}
	return order.Uint64(p.head[atMissed:]) + unseen - p.early
}

// settledSamples is the number of samples, of a second each, after which no request from before the
// start is under way: Linux gives up a request after 30 s.
const settledSamples = 60

func (p *Probe) readHead(number int) error {
	_, err := p.memory.ReadAt(p.head, at(number))
	return err
}

func at(number int) int64 { return int64(number) * size }

// register adds a block to its owner.
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

// advance builds the item of one operation of a device, and reports whether there was any request.
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

// grew reports whether a shard has counted anything since the sample before. If so, it reads the
// shard.
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

// grown returns the growth of a counter of 32 bits.
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

// finish converts the buckets to histograms, clears the buckets, and completes the item.
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

// addUnqueued adds the requests that did not queue to the first bucket of queues. A request that is
// being counted may be in the histogram of queues already, but not yet in the histogram of devices:
// then the next sample adds one less.
func (p *Probe) addUnqueued(l *ledger) {
	for b := range blklat.Buckets {
		l.unqueued += int64(p.device[b]) - int64(p.queue[b])
	}
	if l.unqueued > 0 {
		p.queue[0] += uint32(l.unqueued)
		l.unqueued = 0
	}
}
