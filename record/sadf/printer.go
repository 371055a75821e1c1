package sadf

import (
	"strconv"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// printer appends rows to a buffer.
type printer struct {
	style    style
	header   *sysstat.Header
	buf      []byte
	prefix   []byte  // of each row of a sample: host, interval, time
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

// rate is a difference by second. The order of operations is sysstat's, as
// the last digit printed depends on it.
func (p *printer) rate(delta uint64) float64 {
	return float64(delta) / p.interval * 100
}

// rates prints differences by second.
func (p *printer) rates(deltas ...uint64) {
	for _, d := range deltas {
		p.value(p.rate(d))
	}
}

// appendFixed is strconv.AppendFloat(b, v, 'f', 2, 64) for v ≥ 0. That is
// slow, as it handles all digits a number may have. Here 100·v is rounded to
// an integer, unless it is so near to a half that the error of the product,
// less than 2⁻¹³ below the limit, could decide.
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

// paired is the index in a reference of what stands at i in the current
// sample, −1 if it is new. Devices mostly keep their places.
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
