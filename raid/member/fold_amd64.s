//go:build !purego

#include "textflag.h"

// FOLD multiplies the 64 bytes in z by a power of x and adds those at memory.
#define FOLD(memory, z) \
	VPCLMULQDQ $0x00, Z15, z, Z8 \
	VPCLMULQDQ $0x11, Z15, z, z  \
	VPTERNLOGQ $0x96, memory, Z8, z

// JOIN multiplies x by a power of x and adds it to y; b has the powers, t is free.
#define JOIN(b, t, x, y) \
	VPCLMULQDQ $0x00, b, x, t \
	VPCLMULQDQ $0x11, b, x, x \
	VPTERNLOGQ $0x96, x, t, y

// func foldAVX512(chunk *byte, by *[3]powers) uint32
// Requires: AVX512F, AVX512VL, PCLMULQDQ, SSE4.2, VPCLMULQDQ
TEXT ·foldAVX512(SB), NOSPLIT, $0-20
	MOVQ chunk+0(FP), SI
	MOVQ by+8(FP), DX

	// Four sums of 64 bytes each, to which the rest is folded in rows of 256.
	VMOVDQU64       (SI), Z0
	VMOVDQU64       64(SI), Z1
	VMOVDQU64       128(SI), Z2
	VMOVDQU64       192(SI), Z3
	VBROADCASTI32X4 (DX), Z15
	MOVQ            $15, CX

row:
	ADDQ       $256, SI
	PREFETCHT0 1024(SI)
	PREFETCHT0 1088(SI)
	PREFETCHT0 1152(SI)
	PREFETCHT0 1216(SI)
	FOLD((SI), Z0)
	FOLD(64(SI), Z1)
	FOLD(128(SI), Z2)
	FOLD(192(SI), Z3)
	DECQ       CX
	JNZ        row

	// The four are one of 64 bytes.
	VBROADCASTI32X4 16(DX), Z15
	JOIN(Z15, Z8, Z0, Z1)
	JOIN(Z15, Z8, Z1, Z2)
	JOIN(Z15, Z8, Z2, Z3)

	// Its four lanes are one of 16 bytes.
	VMOVDQU       32(DX), X15
	VEXTRACTI32X4 $1, Z3, X0
	VEXTRACTI32X4 $2, Z3, X1
	VEXTRACTI32X4 $3, Z3, X2
	JOIN(X15, X8, X3, X0)
	JOIN(X15, X8, X0, X1)
	JOIN(X15, X8, X1, X2)

	// The processor knows the rest.
	XORL    AX, AX
	VMOVQ   X2, CX
	CRC32Q  CX, AX
	VPEXTRQ $1, X2, CX
	CRC32Q  CX, AX
	VZEROUPPER
	MOVL    AX, ret+16(FP)
	RET
