//go:build linux

package blkprobe

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"

	"github.com/limpet-storage/limpet/record/blklat"
)

// A probe generates the instructions by which programs read a request.
type probe interface {
	// name returns the kind of hooks, one of hookKinds.
	name() string
	// has reports whether this kernel has a tracepoint.
	has(tracepoint string) bool
	// spec returns the type of a program for a tracepoint.
	spec(tracepoint string) *ebpf.ProgramSpec
	// begin reads the fields of the tracepoint and stores the key of the request in keySlot.
	begin(p *program, tracepoint string)
	// describe stores the device, the operation and the length in their slots. If the request is
	// not to be counted, it jumps to the label none.
	describe(p *program, none string)
	// result stores in failedSlot whether the request failed. If only a part of the request is
	// done, it jumps to the label partly.
	result(p *program, partly string)
}

// A requestShape holds the offsets of the fields of a request in the kernel's structures.
type requestShape struct {
	flags, length int16          // in struct request
	disk          []int16        // from struct request, the pointers to struct gendisk
	major, minor  int16          // in struct gendisk
	argument      map[string]int // by tracepoint: index of the request among its arguments
}

// shapeOf reads the shape from the kernel's description of its types.
func shapeOf(spec *btf.Spec) (*requestShape, error) {
	f := fields{spec: spec}
	s := &requestShape{
		flags: f.offset("request", "cmd_flags"), length: f.offset("request", "__data_len"),
		major: f.offset("gendisk", "major"), minor: f.offset("gendisk", "first_minor"),
		argument: map[string]int{},
	}
	if f.has("request", "rq_disk") { // until Linux 5.16
		s.disk = []int16{f.offset("request", "rq_disk")}
	} else {
		s.disk = []int16{f.offset("request", "q"), f.offset("request_queue", "disk")}
	}
	for _, h := range hooks {
		if at, ok := f.argument(h.tracepoint); ok {
			s.argument[h.tracepoint] = at
		}
	}
	for _, fields := range [][]field{s.work(), s.number()} {
		if _, size := span(fields); size > readSize && f.err == nil {
			f.err = errors.New("the structures request and gendisk of this kernel are unknown to this recorder, because the kernel is newer than the recorder: use a newer version of limpet")
		}
	}
	return s, f.err
}

func (s *requestShape) has(tracepoint string) bool {
	_, ok := s.argument[tracepoint]
	return ok
}

// fields finds fields of the kernel's structures.
type fields struct {
	spec *btf.Spec
	err  error
}

func (f *fields) member(structure, name string) (btf.Member, bool) {
	var s *btf.Struct
	if err := f.spec.TypeByName(structure, &s); err != nil {
		f.err = errors.Join(f.err, fmt.Errorf("the kernel has no type information about struct %s: %w", structure, err))
		return btf.Member{}, false
	}
	for _, m := range s.Members {
		if m.Name == name {
			return m, true
		}
	}
	return btf.Member{}, false
}

func (f *fields) has(structure, name string) bool {
	_, ok := f.member(structure, name)
	return ok
}

func (f *fields) offset(structure, name string) int16 {
	m, ok := f.member(structure, name)
	if !ok && f.err == nil {
		f.err = fmt.Errorf("struct %s of this kernel has no %s: the kernel is newer than this recorder; use a newer version of limpet", structure, name)
	}
	return int16(m.Offset.Bytes())
}

// argument returns the index of the request among the arguments of a tracepoint. Until Linux 5.10
// the first argument was the queue. ok is false if the kernel does not have the tracepoint.
func (f *fields) argument(tracepoint string) (i int, ok bool) {
	var t *btf.Typedef
	if f.spec.TypeByName("btf_trace_"+tracepoint, &t) != nil {
		return 0, false
	}
	function, _ := t.Type.(*btf.Pointer)
	if function == nil {
		return 0, false
	}
	proto, _ := function.Target.(*btf.FuncProto)
	for i := 1; proto != nil && i < len(proto.Params); i++ { // parameter 0 is private data of the tracepoint
		if pointsAt(proto.Params[i].Type, "request") {
			return i - 1, true
		}
	}
	return 0, false
}

func pointsAt(t btf.Type, structure string) bool {
	p, ok := t.(*btf.Pointer)
	if !ok {
		return false
	}
	s, ok := p.Target.(*btf.Struct)
	return ok && s.Name == structure
}

// direct programs get a typed pointer to the request and follow its pointers; the kernel checks
// these when it loads the program. Direct programs are the fastest. They need Linux 5.5 and BTF.
type direct struct{ *requestShape }

func (direct) name() string { return typedTracepoints }

func (direct) spec(tracepoint string) *ebpf.ProgramSpec {
	return &ebpf.ProgramSpec{Type: ebpf.Tracing, AttachType: ebpf.AttachTraceRawTp, AttachTo: tracepoint}
}

func (d direct) begin(p *program, tracepoint string) { d.take(p, tracepoint) }

func (d direct) describe(p *program, none string) { d.requestShape.describe(p, none, loadDirectly) }

func (d direct) result(p *program, partly string) { d.requestShape.result(p, partly, loadDirectly) }

// raw programs get the address of a request as a number, and copy the fields that they need. They
// need Linux 4.17 and BTF.
type raw struct{ *requestShape }

func (raw) name() string { return rawTracepoints }

func (raw) spec(string) *ebpf.ProgramSpec { return &ebpf.ProgramSpec{Type: ebpf.RawTracepoint} }

func (r raw) begin(p *program, tracepoint string) { r.take(p, tracepoint) }

func (r raw) describe(p *program, none string) { r.requestShape.describe(p, none, loadByCopy) }

func (r raw) result(p *program, partly string) { r.requestShape.result(p, partly, loadByCopy) }

// A field is a field of a structure, and the register that it is loaded into.
type field struct {
	at   int16
	size asm.Size
	to   asm.Register
}

// A load loads fields of the structure that a register points to.
type load func(p *program, base asm.Register, fields ...field)

func loadDirectly(p *program, base asm.Register, fields ...field) {
	for _, f := range fields {
		p.add(asm.LoadMem(f.to, base, f.at, f.size))
	}
}

// loadByCopy copies all bytes from the first to the last of the fields, because a second call takes
// longer than a few more bytes.
func loadByCopy(p *program, base asm.Register, fields ...field) {
	from, size := span(fields)
	p.add(asm.Mov.Reg(asm.R3, base), asm.Add.Imm(asm.R3, int32(from)), asm.Mov.Imm(asm.R2, int32(size)))
	p.slot(asm.R1, readSlot)
	for at := int16(0); at < size; at += 8 {
		p.add(zero(asm.RFP, readSlot+at))
	}
	p.add(asm.FnProbeRead.Call())
	for _, f := range fields {
		p.add(asm.LoadMem(f.to, asm.RFP, readSlot+f.at-from, f.size))
	}
}

// span returns the offset of the first field, and the number of bytes from there to the end of the
// last.
func span(fields []field) (from, size int16) {
	from, end := fields[0].at, int16(0)
	for _, f := range fields {
		from, end = min(from, f.at), max(end, f.at+int16(f.size.Sizeof()))
	}
	return from, end - from
}

// take stores the arguments of the tracepoint: the request and, at its completion, the error and
// the number of bytes that are done.
func (s *requestShape) take(p *program, tracepoint string) {
	at := 8 * int16(s.argument[tracepoint])
	p.add(asm.LoadMem(request, asm.R1, at, asm.DWord), asm.StoreMem(asm.RFP, keySlot, request, asm.DWord))
	if tracepoint != "block_rq_complete" {
		return
	}
	for i, slot := range []int16{failedSlot, lengthSlot} {
		p.add(
			asm.LoadMem(asm.R2, asm.R1, at+8+8*int16(i), asm.DWord),
			asm.Mov.Reg32(asm.R2, asm.R2),
			asm.StoreMem(asm.RFP, slot, asm.R2, asm.DWord),
		)
	}
}

// describe reads the operation, the length and the number of the device. A request without a disk
// is not counted.
func (s *requestShape) describe(p *program, none string, load load) {
	load(p, request, s.work()...)
	p.add(asm.StoreMem(asm.RFP, lengthSlot, asm.R4, asm.DWord))
	p.classify(none)
	disk := request
	for _, at := range s.disk {
		load(p, disk, field{at, asm.DWord, asm.R9})
		disk = asm.R9
		p.add(asm.JEq.Imm(disk, 0, none))
	}
	load(p, disk, s.number()...)
	p.add(
		asm.LSh.Imm(asm.R2, minorBits),
		asm.Or.Reg(asm.R2, asm.R4),
		asm.JEq.Imm(asm.R2, 0, none),
		asm.StoreMem(asm.RFP, deviceSlot, asm.R2, asm.DWord),
	)
}

// work returns the fields to load: the flags of a request into R2, its length into R4.
func (s *requestShape) work() []field {
	return []field{{s.flags, asm.Word, asm.R2}, {s.length, asm.Word, asm.R4}}
}

// number returns the fields to load: the major number of a disk into R2, the minor number into R4.
func (s *requestShape) number() []field {
	return []field{{s.major, asm.Word, asm.R2}, {s.minor, asm.Word, asm.R4}}
}

// opMask selects the operation, which is the low eight bits of a request's flags.
const opMask = 0xff

var kernelOps = [blklat.Ops][]int32{
	blklat.Read:    {0},
	blklat.Write:   {1, 7, 9}, // write; zone append, or write same on older kernels; write zeroes
	blklat.Flush:   {2},
	blklat.Discard: {3, 5}, // discard, secure erase
}

// classify stores in opSlot the operation of the flags in R2. If the operation is not counted, it
// jumps to the label none.
func (p *program) classify(none string) {
	done := p.fresh("classified")
	p.add(asm.And.Imm(asm.R2, opMask))
	for op, numbers := range kernelOps {
		p.add(asm.Mov.Imm(asm.R3, int32(op)))
		for _, n := range numbers {
			p.add(asm.JEq.Imm(asm.R2, n, done))
		}
	}
	p.add(asm.Ja.Label(none))
	p.mark(done)
	p.add(asm.StoreMem(asm.RFP, opSlot, asm.R3, asm.DWord))
}

func (s *requestShape) result(p *program, partly string, load load) {
	load(p, request, field{s.length, asm.Word, asm.R2})
	p.add(asm.LoadMem(asm.R1, asm.RFP, lengthSlot, asm.DWord), asm.JLT.Reg(asm.R1, asm.R2, partly))
}
