package sadf

import (
	"strconv"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// A printer appends rows to a buffer.
type printer struct {
	style    style
	header   *sysstat.Header
	buf      []byte
	prefix   []byte  // beginning of each row of a sample: host, interval, time
	interval float64 // 1/100 s
}

// row begins a row.
func (p *printer) row(name string) {
	p.buf = append(p.buf, p.prefix...)
	if name != "" {
		p.buf = append(p.buf, ';')
		p.buf = append(p.buf, name...)
	}
}

// end ends a row.
func (p *printer) end() {
	p.buf = append(p.buf, '\n')
}

// value prints a number.
func (p *printer) value(v float64) {
	p.buf = append(p.buf, ';')
	p.buf = appendFixed(p.buf, v)
}

// rate returns a difference per second. It keeps sysstat's order of operations, because the last
// printed digit depends on this order.
func (p *printer) rate(delta uint64) float64 {
	return float64(delta) / p.interval * 100
}

// rates prints differences per second.
func (p *printer) rates(deltas ...uint64) {
	for _, d := range deltas {
		p.value(p.rate(d))
	}
}

// appendFixed is strconv.AppendFloat(b, v, 'f', 2, 64) for v ≥ 0. AppendFloat is slow, because it
// handles all digits of a number. appendFixed rounds 100·v to an integer n. It calls AppendFloat in
// two cases: 100·v is not below limit, or 100·v is so near to n+½ that the rounding error of the
// product (less than 2⁻¹³) could change the result.
func appendFixed(b []byte, v float64) []byte {
	const limit, margin = 1 << 40, 1.0 / (1 << 12)
	hundredfold := v * 100
	if !(hundredfold < limit) {
		return strconv.AppendFloat(b, v, 'f', 2, 64)
	}
	n := uint64(hundredfold)
	rest := hundredfold - float64(n)
	if rest > 0.5-margin {
		if rest < 0.5+margin {
			return strconv.AppendFloat(b, v, 'f', 2, 64)
		}
		n++
	}
	if n < 100 {
		b = append(b, '0')
	} else {
		b = strconv.AppendUint(b, n/100, 10)
	}
	return append(b, '.', byte('0'+n/10%10), byte('0'+n%10))
}

// paired returns the index in the reference of the item with index i in the current sample; −1: the
// item is new. Devices mostly keep their places.
func paired(i, n int, same func(int) bool) int {
	if n == 0 {
		return -1
	}
	first := min(i, n-1)
	if same(first) {
		return first
	}
	for k := range n {
		if same(k) {
			return k
		}
	}
	return -1
}
