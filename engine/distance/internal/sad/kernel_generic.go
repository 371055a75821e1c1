//go:build !amd64 || purego

package sad

func best() kernel { return plain }

func (kernel) sum(a, b []byte) uint32 { return plainSum(a, b) }

func (kernel) tiles([]uint32, []byte, int) int { return 0 }

func (kernel) atLeast(values []uint32, bound uint32) int { return plainAtLeast(values, bound) }
