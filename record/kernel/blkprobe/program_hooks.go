//go:build linux

package blkprobe

import (
	"github.com/cilium/ebpf/asm"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A hook is a program for a tracepoint. When it begins, the time is in the register now.
type hook struct {
	tracepoint string
	optional   bool // older kernels do not have it
	body       func(*program)
}

var hooks = []hook{
	{"block_rq_insert", false, (*program).insert},
	{"block_rq_issue", false, (*program).issue},
	{"block_rq_requeue", false, (*program).requeue},
	{"block_rq_merge", true, (*program).merge},
	{"block_rq_complete", false, (*program).complete},
}

// insert stores the time at which a request begins to queue. A request that was put back queues
// already: insert leaves it unchanged.
func (p *program) insert() {
	p.findOrMake()
	p.add(asm.LoadMem(asm.R1, entry, atState, asm.Word), asm.JEq.Imm(asm.R1, requeued, "out"))
	p.add(
		asm.StoreMem(entry, atSince, now, asm.DWord),
		zero(entry, atQueued),
		zero(entry, atServed),
		asm.StoreImm(entry, atState, inserted, asm.Word),
	)
}

// merge ends a request that became part of another request.
func (p *program) merge() {
	p.find("out")
	p.add(asm.StoreImm(entry, atState, idleEntry, asm.Word))
}

// issue stores the time at which the device gets a request, the time that the request has queued,
// and the block in which it will be counted.
func (p *program) issue() {
	p.probe.describe(p, "out")
	p.findOrMake()
	p.findBlocks()
	p.countMissed()
	p.queued()
	p.enter()
	p.add(
		asm.LoadMem(asm.R1, asm.RFP, lengthSlot, asm.DWord),
		asm.StoreMem(entry, atLength, asm.R1, asm.Word),
		asm.StoreMem(entry, atSince, now, asm.DWord),
		asm.StoreImm(entry, atState, issued, asm.Word),
	)
}

// countMissed counts the last request of the entry as missed if no program was called for its
// completion. While another program is attached to the same tracepoint, or detached from it, the
// kernel (Linux 6.18) calls no program for a moment. Mostly it misses all completions in flight.
// tracefs still shows these completions, and the kernel counts no recursion. Without such a change,
// no completion is missed.
func (p *program) countMissed() {
	fine := p.fresh("heard")
	p.add(asm.LoadMem(asm.R1, entry, atState, asm.Word), asm.JNE.Imm(asm.R1, issued, fine))
	p.leave()
	p.countAlone(atMissed)
	p.mark(fine)
}

// queued adds the time since the request began to wait to its time in queues. A request that was
// not inserted did not queue.
func (p *program) queued() {
	waited, fresh, done := p.fresh("waited"), p.fresh("fresh"), p.fresh("queued")
	p.add(
		asm.LoadMem(asm.R1, entry, atState, asm.Word),
		asm.JEq.Imm(asm.R1, inserted, waited),
		asm.JNE.Imm(asm.R1, requeued, fresh),
	)
	p.mark(waited)
	p.add(
		asm.LoadMem(asm.R1, entry, atQueued, asm.DWord),
		asm.LoadMem(asm.R2, entry, atSince, asm.DWord),
		asm.Add.Reg(asm.R1, now),
		asm.Sub.Reg(asm.R1, asm.R2),
		asm.StoreMem(entry, atQueued, asm.R1, asm.DWord),
		asm.Ja.Label(done),
	)
	p.mark(fresh)
	p.add(
		zero(entry, atQueued),
		zero(entry, atServed),
	)
	p.mark(done)
}

// findBlocks stores the numbers of two blocks in the entry: the block of the operation, on this
// processor's shard, and the block of the device. The kernel uses a request again for the same
// device, mostly on the same processor: then the numbers in the entry are still right.
func (p *program) findBlocks() {
	done := p.fresh("placed")
	p.add(
		asm.FnGetSmpProcessorId.Call(),
		asm.And.Imm(asm.R0, int32(p.maps.shards-1)),
		asm.LSh.Imm(asm.R0, shardShift),
		asm.LoadMem(asm.R1, asm.RFP, opSlot, asm.DWord),
		asm.LSh.Imm(asm.R1, opShift),
		asm.Or.Reg(asm.R0, asm.R1),
	)
	p.owner()
	p.add(
		asm.LoadMem(asm.R1, entry, atOwner, asm.DWord),
		asm.JEq.Reg(asm.R0, asm.R1, done),
	)
	p.ownBlock()
	p.add(
		asm.StoreMem(entry, atBlock, asm.R0, asm.Word),
		asm.LoadMem(asm.R1, asm.RFP, ownerSlot, asm.DWord),
		asm.StoreMem(entry, atOwner, asm.R1, asm.DWord),
		asm.LoadImm(asm.R0, ownDevice<<opShift, asm.DWord),
	)
	p.owner()
	p.ownBlock()
	p.add(asm.StoreMem(entry, atOwn, asm.R0, asm.Word))
	p.mark(done)
}

// owner adds the device to the owner in R0, and stores the owner in ownerSlot too.
func (p *program) owner() {
	p.add(
		asm.LoadMem(asm.R1, asm.RFP, deviceSlot, asm.DWord),
		asm.Or.Reg(asm.R0, asm.R1),
		asm.LoadImm(asm.R1, -inUse, asm.DWord),
		asm.Or.Reg(asm.R0, asm.R1),
		asm.StoreMem(asm.RFP, ownerSlot, asm.R0, asm.DWord),
	)
}

// enter counts a request that the device got, and updates the maximum in flight. The counter that
// it reads after the addition may include a request of another processor: then that processor
// updates the maximum.
func (p *program) enter() {
	done, lower := p.fresh("entered"), p.fresh("lower")
	p.block(atOwn, done)
	p.add(asm.Mov.Imm(asm.R1, 1))
	p.count(asm.R0, atIssued, asm.Word, asm.R1)
	p.add(asm.LoadMem(asm.R1, asm.R0, atIssued, asm.Word), asm.LoadMem(asm.R2, asm.R0, atCheck, asm.Word))
	p.minus(asm.R1, asm.R2, asm.R3)
	p.add(
		asm.JSLT.Imm(asm.R3, 0, done),
		asm.LoadMem(asm.R2, asm.R0, atLeft, asm.Word),
		asm.LoadMem(asm.R4, asm.R0, atMost, asm.Word),
	)
	p.minus(asm.R1, asm.R2, asm.R3) // in flight
	p.add(
		asm.JSLE.Reg(asm.R3, asm.R4, lower),
		asm.StoreMem(asm.R0, atMost, asm.R3, asm.Word),
		asm.Mov.Reg(asm.R4, asm.R3),
	)
	p.mark(lower)
	p.add(
		asm.Add.Reg(asm.R1, asm.R4),
		asm.Sub.Reg(asm.R1, asm.R3),
		asm.Add.Imm(asm.R1, 1),
		asm.StoreMem(asm.R0, atCheck, asm.R1, asm.Word),
	)
	p.mark(done)
}

// minus computes in = a - b, for counters of 32 bits.
func (p *program) minus(a, b, in asm.Register) {
	p.add(asm.Mov.Reg(in, a), asm.Sub.Reg(in, b), asm.LSh.Imm(in, 32), asm.ArSh.Imm(in, 32))
}

// leave counts a request that left the device.
func (p *program) leave() {
	done := p.fresh("left")
	p.block(atOwn, done)
	p.add(asm.Mov.Imm(asm.R1, 1))
	p.count(asm.R0, atLeft, asm.Word, asm.R1)
	p.mark(done)
}

// requeue ends an attempt. The time of this attempt in the device stays counted.
func (p *program) requeue() {
	p.find("out")
	p.add(asm.LoadMem(asm.R1, entry, atState, asm.Word), asm.JNE.Imm(asm.R1, issued, "out"))
	p.served(asm.R1)
	p.add(
		asm.StoreMem(entry, atServed, asm.R1, asm.DWord),
		asm.StoreMem(entry, atSince, now, asm.DWord),
		asm.StoreImm(entry, atState, requeued, asm.Word),
	)
	p.leave()
	p.block(atBlock, "out")
	p.add(asm.Mov.Imm(asm.R1, 1))
	p.count(asm.R0, atRequeues, asm.Word, asm.R1)
}

// served computes in a register the time that the device has had the request, of all attempts until
// now. It overwrites R2.
func (p *program) served(in asm.Register) {
	p.add(
		asm.LoadMem(in, entry, atServed, asm.DWord),
		asm.Add.Reg(in, now),
		asm.LoadMem(asm.R2, entry, atSince, asm.DWord),
		asm.Sub.Reg(in, asm.R2),
	)
}

// complete counts a request. A request that completes in parts is counted with its last part. If a
// request with data completes and its issue was not seen, it was under way when the programs were
// loaded, or its entry was evicted.
func (p *program) complete() {
	stranger := p.fresh("stranger")
	p.probe.result(p, "out")
	p.find(stranger)
	p.add(asm.LoadMem(asm.R1, entry, atState, asm.Word), asm.JNE.Imm(asm.R1, issued, "out"))
	p.add(asm.StoreImm(entry, atState, idleEntry, asm.Word))
	p.served(asm.R1)
	p.add(asm.StoreMem(entry, atServed, asm.R1, asm.DWord))
	p.leave()
	lost := p.fresh("lost")
	p.block(atBlock, lost)
	p.add(asm.Mov.Reg(blockRegister, asm.R0))
	p.tally(blockRegister)
	p.add(asm.Ja.Label("out"))
	p.mark(stranger)
	p.probe.describe(p, "out")
	p.add(asm.LoadMem(asm.R1, asm.RFP, lengthSlot, asm.DWord), asm.JEq.Imm(asm.R1, 0, "out"))
	p.countAlone(atUnseen)
	p.add(asm.Ja.Label("out"))
	p.mark(lost)
	p.countAlone(atMissed)
}

// tally adds a completed request to a block. Many requests do not queue: they add nothing to the
// histogram of queues.
func (p *program) tally(in asm.Register) {
	for _, kind := range []struct{ field, sum, histogram int16 }{
		{atQueued, atQueueNs, atQueue},
		{atServed, atDeviceNs, atDevice},
	} {
		none := p.fresh("none")
		p.add(asm.LoadMem(asm.R3, entry, kind.field, asm.DWord))
		if kind.field == atQueued {
			p.add(asm.JEq.Imm(asm.R3, 0, none))
		}
		p.count(in, kind.sum, asm.DWord, asm.R3)
		p.bucket()
		p.add(asm.LSh.Imm(asm.R3, 2), asm.Add.Reg(asm.R3, in), asm.Mov.Imm(asm.R1, 1))
		p.count(asm.R3, kind.histogram, asm.Word, asm.R1)
		p.mark(none)
	}
	fine := p.fresh("fine")
	p.add(asm.LoadMem(asm.R2, asm.RFP, failedSlot, asm.DWord), asm.Mov.Imm(asm.R1, 1), asm.JEq.Imm(asm.R2, 0, fine))
	p.count(in, atErrors, asm.Word, asm.R1)
	p.mark(fine)
	p.tallySize(in)
}

func (p *program) tallySize(in asm.Register) {
	p.add(asm.LoadMem(asm.R3, entry, atLength, asm.Word))
	p.count(in, atBytes, asm.DWord, asm.R3)
	for _, bound := range blklat.SizeBounds {
		sized := p.fresh("sized")
		p.add(asm.JLE.Imm(asm.R3, int32(bound), sized), asm.Add.Imm(in, 4))
		p.mark(sized)
	}
	p.count(in, atSizes, asm.Word, asm.R1)
}
