//go:build linux

package blkprobe

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/asm"
	"golang.org/x/sys/unix"

	"github.com/limpet-storage/limpet/record/blklat"
)

// tracefs describes the fields of a tracepoint, one line for each field:
//
//	name: block_rq_complete
//	ID: 1083
//	format:
//		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
//		…
//		field:dev_t dev;	offset:8;	size:4;	signed:0;
//		field:sector_t sector;	offset:16;	size:8;	signed:0;
//		field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;
//		field:int error;	offset:28;	size:4;	signed:1;
//		field:char rwbs[10];	offset:34;	size:10;	signed:0;

// shown programs see only the fields of a request that tracefs shows: device, sector and operation.
// The three together identify a request. These programs need no BTF, but they see less:
//
//   - A request that grew at its front while it queued counts as a request that did not queue.
//   - If two requests with the same fields are under way at the same time, the first is missed.
type shown struct {
	formats map[string]format // by tracepoint
}

// A format holds the places of the fields of a tracepoint, by their names.
type format map[string]shownField

type shownField struct{ offset, size int16 }

// tracefsRoots are the usual mount points of tracefs.
var tracefsRoots = []string{"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}

// openTracefs reads the formats of the tracepoints. If tracefs is not mounted, openTracefs mounts
// it at its usual place, if this process may.
func openTracefs() (shown, error) {
	s := shown{formats: map[string]format{}}
	root, err := tracefs()
	if err != nil {
		return s, err
	}
	for _, h := range hooks {
		text, err := os.ReadFile(filepath.Join(root, "events/block", h.tracepoint, "format"))
		if errors.Is(err, fs.ErrNotExist) && h.optional {
			continue
		}
		if err != nil {
			return s, err
		}
		s.formats[h.tracepoint] = parseFormat(text)
		if err := s.formats[h.tracepoint].check(h.tracepoint); err != nil {
			return s, err
		}
	}
	return s, nil
}

func tracefs() (root string, err error) {
	for _, root := range tracefsRoots {
		if _, err := os.Stat(filepath.Join(root, "events/block")); err == nil {
			return root, nil
		}
	}
	root = tracefsRoots[0]
	if err := unix.Mount("tracefs", root, "tracefs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return "", fmt.Errorf("tracefs is not mounted (%[2]w): run mount -t tracefs tracefs %[1]s", root, err)
	}
	return root, nil
}

var formatLine = regexp.MustCompile(`(?m)^\s*field:.*?(\w+)(?:\[\d*\])?;\s*offset:(\d+);\s*size:(\d+);`)

func parseFormat(text []byte) format {
	f := format{}
	for _, m := range formatLine.FindAllSubmatch(text, -1) {
		offset, _ := strconv.ParseInt(string(m[2]), 10, 16)
		size, _ := strconv.ParseInt(string(m[3]), 10, 16)
		f[string(m[1])] = shownField{offset: int16(offset), size: int16(size)}
	}
	return f
}

// check returns an error if a field is missing or has an unexpected size.
func (f format) check(tracepoint string) error {
	needed := map[string]int16{"dev": 4, "sector": 8, "nr_sector": 4, "rwbs": 0}
	if tracepoint == "block_rq_complete" {
		needed["error"] = 4
	}
	for name, size := range needed {
		if got, ok := f[name]; !ok || size > 0 && got.size != size {
			return fmt.Errorf("tracepoint %s of this kernel has no field %s, so the recorder cannot distinguish requests", tracepoint, name)
		}
	}
	return nil
}

func (shown) name() string { return tracefsEvents }

func (s shown) has(tracepoint string) bool { return s.formats[tracepoint] != nil }

func (shown) spec(string) *ebpf.ProgramSpec { return &ebpf.ProgramSpec{Type: ebpf.TracePoint} }

// begin makes the key of a request. The sector of a flush changes, so the key of a flush has no
// sector. The product with a large odd number keeps the keys of devices, and of operations, far
// apart.
func (s shown) begin(p *program, tracepoint string) {
	f := s.formats[tracepoint]
	p.add(asm.Mov.Reg(request, asm.R1))
	s.operation(p, f)
	flush := p.fresh("flush")
	p.add(
		asm.LoadMem(asm.R2, request, f["nr_sector"].offset, asm.Word),
		asm.LSh.Imm(asm.R2, sectorShift),
		asm.StoreMem(asm.RFP, lengthSlot, asm.R2, asm.DWord),
		asm.LoadMem(asm.R2, request, f["dev"].offset, asm.Word),
		asm.StoreMem(asm.RFP, deviceSlot, asm.R2, asm.DWord),
		asm.LSh.Imm(asm.R2, opBits),
		asm.Or.Reg(asm.R2, asm.R3),
		asm.LoadImm(asm.R1, -0x61c8864680b583eb, asm.DWord), // 2⁶⁴ / golden ratio
		asm.Mul.Reg(asm.R2, asm.R1),
		asm.JEq.Imm(asm.R3, int32(blklat.Flush), flush),
		asm.LoadMem(asm.R1, request, f["sector"].offset, asm.DWord),
		asm.Add.Reg(asm.R2, asm.R1),
	)
	p.mark(flush)
	p.add(asm.StoreMem(asm.RFP, keySlot, asm.R2, asm.DWord))
	if tracepoint == "block_rq_complete" {
		p.add(
			asm.LoadMem(asm.R2, request, f["error"].offset, asm.Word),
			asm.StoreMem(asm.RFP, failedSlot, asm.R2, asm.DWord),
		)
	}
}

const (
	sectorShift = 9
	opBits      = 8
)

// operation stores the operation of a request in R3 and in opSlot. It reads the operation from the
// letters of the field rwbs. They begin with an F if the drive is flushed first.
func (shown) operation(p *program, f format) {
	done := p.fresh("operation")
	letter := func(i int16) asm.Instruction { return asm.LoadMem(asm.R2, request, f["rwbs"].offset+i, asm.Byte) }
	p.add(
		letter(0),
		asm.Mov.Imm(asm.R3, int32(blklat.Read)), asm.JEq.Imm(asm.R2, 'R', done),
		asm.Mov.Imm(asm.R3, int32(blklat.Write)), asm.JEq.Imm(asm.R2, 'W', done),
		asm.Mov.Imm(asm.R3, int32(blklat.Discard)), asm.JEq.Imm(asm.R2, 'D', done),
		asm.JNE.Imm(asm.R2, 'F', "out"),
		letter(1),
		asm.Mov.Imm(asm.R3, int32(blklat.Write)), asm.JEq.Imm(asm.R2, 'W', done),
		asm.Mov.Imm(asm.R3, int32(blklat.Flush)),
	)
	p.mark(done)
	p.add(asm.StoreMem(asm.RFP, opSlot, asm.R3, asm.DWord))
}

// describe does nothing: begin has stored all fields.
func (shown) describe(*program, string) {}

// result does nothing: the first completed part of a request counts as the whole request.
func (shown) result(*program, string) {}
