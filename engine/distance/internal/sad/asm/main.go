package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// pad is sad.Pad, the number of bytes that each pass of a loop reads.
const pad = 128

func main() {
	ConstraintExpr("!purego")
	for _, s := range []set{avx2(), avx512()} {
		s.sum()
		s.tile()
		s.atLeast()
	}
	Generate()
}

// sum writes the code of the function that computes the distance of one pair of rows.
func (s set) sum() {
	TEXT("sum"+s.name, NOSPLIT, "func(a, b *byte, n int) uint32")
	Pragma("noescape")
	Doc("sum"+s.name+" returns the distance between the n bytes at a and the n bytes at b.",
		"The parameter n must be a positive multiple of Pad.")
	a, b, n := Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("n"), GP64())
	acc := s.zero()
	Label("turn")
	for off := 0; off < pad; off += s.width {
		s.accumulate(acc, s.load(Mem{Base: a, Disp: off}), s.load(Mem{Base: b, Disp: off}))
	}
	turn(n, pad, a, b)
	s.ret(acc)
}

// tile writes the code of the function that computes the distances of two rows to four rows. A part
// of a row is loaded into a register once, and used for several of the eight distances. The
// function needs twelve of the sixteen registers of AVX2: eight sums, two rows of a, one row of b,
// and one difference.
func (s set) tile() {
	TEXT("tile"+s.name, NOSPLIT, "func(sums *[2][4]uint32, a, b *byte, stride int)")
	Pragma("noescape")
	Doc("tile"+s.name+" computes the distance between each of the two rows at address a and each of the four rows at",
		"address b, and stores the distances in sums.",
		"The parameter stride must be a positive multiple of Pad.")
	sums := Load(Param("sums"), GP64())
	a, b, stride := Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("stride"), GP64())
	left, stride3 := GP64(), GP64()
	MOVQ(stride, left)
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, stride3)
	rows := func(base Register, off int) [4]Mem {
		return [4]Mem{
			{Base: base, Disp: off},
			{Base: base, Disp: off, Index: stride, Scale: 1},
			{Base: base, Disp: off, Index: stride, Scale: 2},
			{Base: base, Disp: off, Index: stride3, Scale: 1},
		}
	}
	var acc [2][4]VecVirtual
	for i := range 8 {
		acc[i/4][i%4] = s.zero()
	}
	Label("turn")
	for off := 0; off < pad; off += s.width {
		a0, a1 := s.load(rows(a, off)[0]), s.load(rows(a, off)[1])
		for c, row := range rows(b, off) {
			b := s.load(row)
			s.accumulate(acc[0][c], a0, b)
			s.accumulate(acc[1][c], a1, b)
		}
	}
	turn(left, pad, a, b)
	VMOVDQU(s.quad(acc[0]), Mem{Base: sums})
	VMOVDQU(s.quad(acc[1]), Mem{Base: sums, Disp: 16})
	VZEROUPPER()
	RET()
}

// atLeast writes the code of the function that counts the values that are at least a bound.
func (s set) atLeast() {
	TEXT("atLeast"+s.name, NOSPLIT, "func(values *uint32, n int, bound uint32) uint32")
	Pragma("noescape")
	Doc("atLeast"+s.name+" returns the number of values, among the n values, with value ≥ bound.",
		"The parameter n must be a positive multiple of Pad/4.")
	values, n := Load(Param("values"), GP64()), Load(Param("n"), GP64())
	x, bound, acc := XMM(), s.reg(), s.zero()
	VMOVD(Load(Param("bound"), GP32()), x)
	VPBROADCASTD(x, bound)
	count := s.counter()
	Label("turn")
	for off := 0; off < pad; off += s.width {
		count(acc, s.load(Mem{Base: values, Disp: off}), bound)
	}
	turn(n, pad/4, values)
	s.ret(acc)
}

// turn writes the end of a loop: it adds `pad` to the pointers, and subtracts `step` from the
// register `left`. If `left` is not zero then, the code jumps back to the start of the loop.
func turn(left Register, step uint64, pointers ...Register) {
	for _, p := range pointers {
		ADDQ(Imm(pad), p)
	}
	SUBQ(Imm(step), left)
	JNZ(LabelRef("turn"))
}

// set is an instruction set: its registers, and the instructions that differ between
// instruction sets.
type set struct {
	name  string
	width int // bytes in a register
	reg   func() VecVirtual
	move  func(from, to Op)
	// counter returns a function that writes the code to add 1 to each lane of acc in
	// which x ≥ bound.
	counter func() func(acc, x, bound VecVirtual)
}

func avx2() set {
	return set{"AVX2", 32, YMM, VMOVDQU, func() func(acc, x, bound VecVirtual) {
		return func(acc, x, bound VecVirtual) {
			minus := YMM()
			VPMAXUD(x, bound, minus)
			VPCMPEQD(x, minus, minus)
			VPSUBD(minus, acc, acc)
		}
	}}
}

func avx512() set {
	const notLess = 5
	return set{"AVX512", 64, ZMM, func(from, to Op) { VMOVDQU64(from, to) }, func() func(acc, x, bound VecVirtual) {
		minus := ZMM()
		VPTERNLOGD(Imm(0xff), minus, minus, minus)
		return func(acc, x, bound VecVirtual) {
			where := K()
			VPCMPUD(Imm(notLess), bound, x, where)
			VPSUBD(minus, acc, where, acc)
		}
	}}
}

func (s set) zero() VecVirtual {
	v := s.reg()
	VPSUBQ(v, v, v)
	return v
}

func (s set) load(from Mem) VecVirtual {
	v := s.reg()
	s.move(from, v)
	return v
}

// accumulate adds the distance between the bytes of a and the bytes of b to acc. It adds in 64-bit
// lanes, whose upper halves stay zero.
func (s set) accumulate(acc, a, b VecVirtual) {
	d := s.reg()
	VPSADBW(b, a, d)
	VPADDQ(d, acc, acc)
}

// ret writes the end of a function, which returns the sum of the 32-bit lanes of acc.
func (s set) ret(acc VecVirtual) {
	x, y, total := half(s.fold(acc)), XMM(), GP32()
	VPSHUFD(Imm(0b01_00_11_10), x, y)
	VPADDD(x, y, x)
	VPSHUFD(Imm(0b10_11_00_01), x, y)
	VPADDD(x, y, x)
	VMOVD(x, total)
	VZEROUPPER()
	Store(total, ReturnIndex(0))
	RET()
}

// quad returns a register with four totals, one for each of the four registers in acc, in the same
// order. A total is the sum of the lanes of one of these registers. The code first combines two of
// these registers in one, and then two of the combined registers in one.
func (s set) quad(acc [4]VecVirtual) VecVirtual {
	for _, odd := range []int{1, 3} {
		VPSLLQ(Imm(32), acc[odd], acc[odd])
		VPADDD(acc[odd], acc[odd-1], acc[odd-1])
	}
	x, y, even := s.fold(acc[0]), s.fold(acc[2]), YMM()
	VPUNPCKLQDQ(y, x, even)
	VPUNPCKHQDQ(y, x, y)
	VPADDD(even, y, y)
	return half(y)
}

// fold adds the upper part of a register to the lowest 256 bits.
func (s set) fold(v VecVirtual) VecVirtual {
	if s.width == 32 {
		return v
	}
	upper := YMM()
	VEXTRACTI64X4(Imm(1), v, upper)
	VPADDD(v.AsY(), upper, upper)
	return upper
}

// half adds the upper 128 bits of a register to the lower 128 bits.
func half(v VecVirtual) VecVirtual {
	upper := XMM()
	VEXTRACTI128(Imm(1), v, upper)
	VPADDD(v.AsX(), upper, upper)
	return upper
}
