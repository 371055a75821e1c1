//go:build linux

// This file has the BPF programs that count requests to block devices: their
// instructions, the maps that they share, and the hooks by which a kernel calls them.

package blkprobe

import (
	"fmt"

	"github.com/cilium/ebpf/asm"

	"github.com/limpet-storage/limpet/record/blklat"
)

// Where programs keep things on their stack.
const (
	keySlot    = -8   // u64: which request
	ownerSlot  = -16  // u64: of the block that is looked for
	numberSlot = -20  // u32: a block's number
	deviceSlot = -32  // u64
	opSlot     = -40  // u64
	lengthSlot = -48  // u64: bytes of the request
	failedSlot = -56  // u64: not zero if the request failed
	entrySlot  = -128 // entrySize bytes: a new entry
	readSlot   = -192 // readSize bytes: what was read from the kernel's memory

	readSize = 64
)

// The registers that calls leave alone.
const (
	request       = asm.R6 // or what the tracepoint shows of it
	entry         = asm.R7
	now           = asm.R8
	blockRegister = asm.R9 // the block that a request is counted in
)

// A program is instructions on their way. Its end is at the label out.
type program struct {
	maps   maps
	probe  probe
	ins    asm.Instructions
	marked string // label of the next instruction
	labels int
}

func (p *program) add(instructions ...asm.Instruction) {
	for _, i := range instructions {
		if p.marked != "" {
			i = i.WithSymbol(p.marked)
			p.marked = ""
		}
		p.ins = append(p.ins, i)
	}
}

// fresh is a label that nothing else has.
func (p *program) fresh(name string) string {
	p.labels++
	return fmt.Sprintf("%s%d", name, p.labels)
}

// mark names the place of the next instruction.
func (p *program) mark(label string) {
	if p.marked != "" { // two names for one place
		p.add(asm.Mov.Imm(asm.R5, 0))
	}
	p.marked = label
}

// end ends the program. A run in some, by the chance of its time, adds how long
// it took.
func (p *program) end() asm.Instructions {
	p.mark("out")
	p.add(
		asm.Mov.Reg(asm.R1, now),
		asm.And.Imm(asm.R1, runsToTimed-1),
		asm.JNE.Imm(asm.R1, 0, "return"),
		asm.StoreImm(asm.RFP, numberSlot, 0, asm.Word),
	)
	p.lookUp(p.maps.blocks.FD(), numberSlot)
	p.add(
		asm.JEq.Imm(asm.R0, 0, "return"),
		asm.Mov.Reg(entry, asm.R0),
		asm.FnKtimeGetNs.Call(),
		asm.Sub.Reg(asm.R0, now),
	)
	p.count(entry, atSpentNs, asm.DWord, asm.R0)
	p.mark("return")
	p.add(asm.Mov.Imm(asm.R0, 0), asm.Return())
	return p.ins
}

// slot points a register at a place on the stack.
func (p *program) slot(r asm.Register, at int32) {
	p.add(asm.Mov.Reg(r, asm.RFP), asm.Add.Imm(r, at))
}

// lookUp finds the value of a key on the stack, 0 for none, in R0.
func (p *program) lookUp(fd int, key int32) {
	p.add(asm.LoadMapPtr(asm.R1, fd))
	p.slot(asm.R2, key)
	p.add(asm.FnMapLookupElem.Call())
}

// update sets the value of a key, both on the stack.
func (p *program) update(fd int, key, value, flags int32) {
	p.add(asm.LoadMapPtr(asm.R1, fd))
	p.slot(asm.R2, key)
	p.slot(asm.R3, value)
	p.add(asm.Mov.Imm(asm.R4, flags), asm.FnMapUpdateElem.Call())
}

// time leaves the nanoseconds since the machine was started in now. What the
// tracepoint shows stays in R1.
func (p *program) time() {
	p.add(
		asm.Mov.Reg(request, asm.R1),
		asm.FnKtimeGetNs.Call(),
		asm.Mov.Reg(now, asm.R0),
		asm.Mov.Reg(asm.R1, request),
	)
}

// block finds the block whose number a field of the entry has, in R0.
func (p *program) block(field int16, none string) {
	p.add(
		asm.LoadMem(asm.R1, entry, field, asm.Word),
		asm.JEq.Imm(asm.R1, 0, none),
		asm.StoreMem(asm.RFP, numberSlot, asm.R1, asm.Word),
	)
	p.lookUp(p.maps.blocks.FD(), numberSlot)
	p.add(asm.JEq.Imm(asm.R0, 0, none))
}

// count adds a register to a counter of the block in base, whatever other
// processors add meanwhile.
func (p *program) count(base asm.Register, at int16, size asm.Size, by asm.Register) {
	p.add(asm.AddAtomic.Mem(base, by, size, at))
}

// find leaves the entry of the request in entry, or goes to none.
func (p *program) find(none string) {
	p.lookUp(p.maps.requests.FD(), keySlot)
	p.add(asm.JEq.Imm(asm.R0, 0, none), asm.Mov.Reg(entry, asm.R0))
}

// findOrMake is find, with an idle entry where there was none.
func (p *program) findOrMake() {
	known := p.fresh("known")
	p.lookUp(p.maps.requests.FD(), keySlot)
	p.add(asm.JNE.Imm(asm.R0, 0, known))
	for at := int16(0); at < entrySize; at += 8 {
		p.add(zero(asm.RFP, entrySlot+at))
	}
	p.update(p.maps.requests.FD(), keySlot, entrySlot, 0)
	p.lookUp(p.maps.requests.FD(), keySlot)
	p.add(asm.JEq.Imm(asm.R0, 0, "out"))
	p.mark(known)
	p.add(asm.Mov.Reg(entry, asm.R0))
}

// countAlone counts the request in block 0, which belongs to no device.
func (p *program) countAlone(at int16) {
	p.add(asm.StoreImm(asm.RFP, numberSlot, 0, asm.Word))
	p.lookUp(p.maps.blocks.FD(), numberSlot)
	p.add(asm.JEq.Imm(asm.R0, 0, "out"), asm.Mov.Imm(asm.R1, 1))
	p.count(asm.R0, at, asm.DWord, asm.R1)
}

// ownBlock leaves in R0 the number of the block whose owner is in ownerSlot, 0
// where there is no block left. One that has no block yet takes one from those
// that are free. Of two processors that do so at once, one puts its own back.
func (p *program) ownBlock() {
	found, mine, none, done := p.fresh("found"), p.fresh("mine"), p.fresh("none"), p.fresh("done")
	p.lookUp(p.maps.owners.FD(), ownerSlot)
	p.add(asm.JNE.Imm(asm.R0, 0, found))
	p.add(asm.LoadMapPtr(asm.R1, p.maps.free.FD()))
	p.slot(asm.R2, numberSlot)
	p.add(asm.FnMapPopElem.Call(), asm.JNE.Imm(asm.R0, 0, none))
	p.lookUp(p.maps.blocks.FD(), numberSlot)
	p.add(
		asm.JEq.Imm(asm.R0, 0, none),
		asm.LoadMem(asm.R1, asm.RFP, ownerSlot, asm.DWord),
		asm.StoreMem(asm.R0, blockAtOwner, asm.R1, asm.DWord),
	)
	const ifNone = 1
	p.update(p.maps.owners.FD(), ownerSlot, numberSlot, ifNone)
	p.add(asm.JEq.Imm(asm.R0, 0, mine))
	p.add(asm.LoadMapPtr(asm.R1, p.maps.free.FD()))
	p.slot(asm.R2, numberSlot)
	p.add(asm.Mov.Imm(asm.R3, 0), asm.FnMapPushElem.Call())
	p.lookUp(p.maps.owners.FD(), ownerSlot)
	p.add(asm.JEq.Imm(asm.R0, 0, none))
	p.mark(found)
	p.add(asm.LoadMem(asm.R0, asm.R0, 0, asm.Word), asm.Ja.Label(done))
	p.mark(mine)
	p.add(asm.LoadMem(asm.R0, asm.RFP, numberSlot, asm.Word), asm.Ja.Label(done))
	p.mark(none)
	p.add(asm.Mov.Imm(asm.R0, 0))
	p.mark(done)
}

// bucket makes of the nanoseconds in R3 the number of their bucket, as
// blklat.Bucket does. It has no branches on the way to the highest bit, which
// the verifier would have to follow one by one. R0, R1 and R6 to R9 stay.
func (p *program) bucket() {
	long, done := p.fresh("long"), p.fresh("bucket")
	ns, bits, part := asm.R3, asm.R2, asm.R4
	p.add(
		asm.Mov.Reg(part, ns),
		asm.RSh.Imm(part, firstOctave+octaves),
		asm.JNE.Imm(part, 0, long),
		asm.Mov.Reg(bits, ns),
		asm.Mov.Imm(ns, 0), // below the first octave
		asm.Mov.Reg(part, bits),
		asm.RSh.Imm(part, firstOctave),
		asm.JEq.Imm(part, 0, done),
		asm.Mov.Reg(ns, bits),
	)
	for shift := int32(1); shift <= 32; shift *= 2 {
		p.add(asm.Mov.Reg(part, bits), asm.RSh.Imm(part, shift), asm.Or.Reg(bits, part))
	}
	p.ones(bits, part)
	p.add(
		asm.Sub.Imm(bits, 1), // the octave
		asm.Mov.Reg(part, bits),
		asm.Sub.Imm(part, subBits),
		asm.RSh.Reg(ns, part),
		asm.And.Imm(ns, 1<<subBits-1),
		asm.Sub.Imm(bits, firstOctave),
		asm.LSh.Imm(bits, subBits),
		asm.Add.Reg(ns, bits),
		asm.Add.Imm(ns, 1),
		asm.JLE.Imm(ns, blklat.Buckets-1, done),
	)
	p.mark(long)
	p.add(asm.Mov.Imm(ns, blklat.Buckets-1))
	p.mark(done)
}

// How blklat divides time, which a test holds against it.
const (
	firstOctave = 9
	octaves     = 28
	subBits     = 4
)

// ones makes of a register the number of its bits that are set.
func (p *program) ones(r, scratch asm.Register) {
	masked := func(mask int64) {
		p.add(asm.LoadImm(asm.R5, mask, asm.DWord), asm.And.Reg(scratch, asm.R5))
	}
	p.add(asm.Mov.Reg(scratch, r), asm.RSh.Imm(scratch, 1))
	masked(0x5555555555555555)
	p.add(asm.Sub.Reg(r, scratch), asm.Mov.Reg(scratch, r), asm.RSh.Imm(scratch, 2))
	masked(0x3333333333333333)
	p.add(
		asm.And.Reg(r, asm.R5),
		asm.Add.Reg(r, scratch),
		asm.Mov.Reg(scratch, r),
		asm.RSh.Imm(scratch, 4),
		asm.Add.Reg(r, scratch),
		asm.LoadImm(asm.R5, 0x0f0f0f0f0f0f0f0f, asm.DWord),
		asm.And.Reg(r, asm.R5),
		asm.LoadImm(asm.R5, 0x0101010101010101, asm.DWord),
		asm.Mul.Reg(r, asm.R5),
		asm.RSh.Imm(r, 56),
	)
}

// zero sets eight bytes to zero, for which the assembler has no word.
func zero(base asm.Register, at int16) asm.Instruction {
	return asm.Instruction{OpCode: asm.StoreImmOp(asm.DWord), Dst: base, Offset: at}
}
