//go:build linux

// This file has the building blocks of the BPF programs that count requests to block devices: their
// stack, their registers, and the instructions that several programs share.

package blkprobe

import (
	"fmt"

	"github.com/cilium/ebpf/asm"

	"github.com/limpet-storage/limpet/record/blklat"
)

// The stack of a program.
const (
	keySlot    = -8   // u64: key of the request
	ownerSlot  = -16  // u64: owner of the block to be found
	numberSlot = -20  // u32: a block's number
	deviceSlot = -32  // u64
	opSlot     = -40  // u64
	lengthSlot = -48  // u64: bytes of the request
	failedSlot = -56  // u64: not zero if the request failed
	entrySlot  = -128 // entrySize bytes: a new entry
	readSlot   = -192 // readSize bytes: copy of the kernel's memory

	readSize = 64
)

// The registers that calls do not change.
const (
	request       = asm.R6 // the request, or the fields of the tracepoint
	entry         = asm.R7
	now           = asm.R8
	blockRegister = asm.R9 // the block that a request is counted in
)

// A program collects instructions. The label "out" is its end.
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

// fresh returns a new label.
func (p *program) fresh(name string) string {
	p.labels++
	return fmt.Sprintf("%s%d", name, p.labels)
}

// mark sets the label of the next instruction.
func (p *program) mark(label string) {
	if p.marked != "" { // two labels for one place
		p.add(asm.Mov.Imm(asm.R5, 0))
	}
	p.marked = label
}

// end ends the program. One run in runsToTimed adds its duration to atSpentNs: the lowest bits of
// its start time choose it.
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

// slot sets a register to the address of a place on the stack.
func (p *program) slot(r asm.Register, at int32) {
	p.add(asm.Mov.Reg(r, asm.RFP), asm.Add.Imm(r, at))
}

// lookUp looks up a key on the stack. R0 is the address of its value; 0: the map does not have the
// key.
func (p *program) lookUp(fd int, key int32) {
	p.add(asm.LoadMapPtr(asm.R1, fd))
	p.slot(asm.R2, key)
	p.add(asm.FnMapLookupElem.Call())
}

// update sets the value of a key. Key and value are on the stack.
func (p *program) update(fd int, key, value, flags int32) {
	p.add(asm.LoadMapPtr(asm.R1, fd))
	p.slot(asm.R2, key)
	p.slot(asm.R3, value)
	p.add(asm.Mov.Imm(asm.R4, flags), asm.FnMapUpdateElem.Call())
}

// time stores the nanoseconds since the start of the machine in the register now. R1 still points
// to the fields of the tracepoint.
func (p *program) time() {
	p.add(
		asm.Mov.Reg(request, asm.R1),
		asm.FnKtimeGetNs.Call(),
		asm.Mov.Reg(now, asm.R0),
		asm.Mov.Reg(asm.R1, request),
	)
}

// block sets R0 to the address of the block whose number is in a field of the entry. If there is no
// such block, it jumps to the label none.
func (p *program) block(field int16, none string) {
	p.add(
		asm.LoadMem(asm.R1, entry, field, asm.Word),
		asm.JEq.Imm(asm.R1, 0, none),
		asm.StoreMem(asm.RFP, numberSlot, asm.R1, asm.Word),
	)
	p.lookUp(p.maps.blocks.FD(), numberSlot)
	p.add(asm.JEq.Imm(asm.R0, 0, none))
}

// count adds a register to a counter of the block in base, atomically.
func (p *program) count(base asm.Register, at int16, size asm.Size, by asm.Register) {
	p.add(asm.AddAtomic.Mem(base, by, size, at))
}

// find sets the register entry to the address of the request's entry, or jumps to the label none.
func (p *program) find(none string) {
	p.lookUp(p.maps.requests.FD(), keySlot)
	p.add(asm.JEq.Imm(asm.R0, 0, none), asm.Mov.Reg(entry, asm.R0))
}

// findOrMake is like find, but makes an idle entry if the request has none.
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

// ownBlock sets R0 to the number of the block whose owner is in ownerSlot; 0: no block is left. An
// owner without a block gets a free block. If two processors take a free block for the same owner
// at the same time, one of them puts its block back.
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

// bucket replaces the nanoseconds in R3 by the number of their bucket, as blklat.Bucket does. It
// finds the highest bit without branches, because the verifier would follow each branch. R0, R1 and
// R6 to R9 do not change.
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

// The division of time by blklat. A test compares these constants with blklat.
const (
	firstOctave = 9
	octaves     = 28
	subBits     = 4
)

// ones replaces the value of a register by the number of its set bits.
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

// zero sets eight bytes to zero. The package asm has no function for this instruction.
func zero(base asm.Register, at int16) asm.Instruction {
	return asm.Instruction{OpCode: asm.StoreImmOp(asm.DWord), Dst: base, Offset: at}
}
