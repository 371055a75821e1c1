package columns

import (
	"bytes"
	"slices"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"

	"github.com/limpet-storage/limpet/study/source/internal/clock"
)

// decodeNumbers reads the numbers of a page.
func (c *pageColumn) decodeNumbers(values encoding.Values, indexed bool) {
	if !indexed {
		c.readNumbers(c.page.Numbers, values, func(i int, what badValue) { c.noteNumber(i, what) })
		return
	}
	for i, at := range values.Int32() {
		c.page.Numbers[i] = c.numbers[at]
	}
	if c.bad == nil {
		return
	}
	for i, at := range values.Int32() {
		if what := c.bad[at]; what != good {
			c.noteNumber(i, what)
		}
	}
}

func (c *pageColumn) noteNumber(i int, what badValue) {
	c.faults.value(c.rowOf(i), "%s %s", c.want.Column, what)
}

// readNumbers reads values of any type that a number may have.
func (c *pageColumn) readNumbers(out []float32, values encoding.Values, note func(int, badValue)) {
	switch kind := values.Kind(); {
	case kind == encoding.Int32 && c.unsigned:
		scaleNumbers(out, values.Uint32(), c.scale, note)
	case kind == encoding.Int32 && c.scale == 1:
		countNumbers(out, values.Int32(), note)
	case kind == encoding.Int32:
		scaleNumbers(out, values.Int32(), c.scale, note)
	case kind == encoding.Int64 && c.unsigned:
		scaleNumbers(out, values.Uint64(), c.scale, note)
	case kind == encoding.Int64 && c.scale == 1:
		countNumbers(out, values.Int64(), note)
	case kind == encoding.Int64:
		scaleNumbers(out, values.Int64(), c.scale, note)
	case kind == encoding.Float:
		scaleNumbers(out, values.Float(), c.scale, note)
	case kind == encoding.Double:
		scaleNumbers(out, values.Double(), c.scale, note)
	default:
		eachText(values, func(i int, text []byte) {
			var bad badValue
			if out[i], bad = parseNumber(text, c.scale); bad != good {
				note(i, bad)
			}
		})
	}
}

// countNumbers takes integers as they are, which is most there is.
func countNumbers[T int32 | int64](out []float32, values []T, note func(int, badValue)) {
	for i, v := range values[:len(out)] {
		out[i] = float32(v)
		if v < 0 {
			out[i] = missing
			note(i, negative)
		}
	}
}

func scaleNumbers[T int32 | uint32 | int64 | uint64 | float32 | float64](out []float32, values []T, scale float64, note func(int, badValue)) {
	for i, v := range values[:len(out)] {
		var bad badValue
		if out[i], bad = measured(float64(v), scale); bad != good {
			note(i, bad)
		}
	}
}

// eachText walks over texts.
func eachText(values encoding.Values, do func(i int, text []byte)) {
	data, offsets := values.ByteArray()
	for i := range len(offsets) - 1 {
		do(i, data[offsets[i]:offsets[i+1]])
	}
}

// decodeTexts reads the texts of a page.
func (c *pageColumn) decodeTexts(values encoding.Values, indexed bool) {
	if !indexed {
		c.readTexts(c.page.Codes, values)
		return
	}
	for i, at := range values.Int32() {
		c.page.Codes[i] = c.codes[at]
	}
}

// lacks reports whether some row of the page may have no text or no time.
func (c *pageColumn) lacks(indexed bool) bool {
	switch {
	case c.levels != nil:
		return true
	case c.want.As == Time:
		return slices.Contains(c.page.Times, clock.NoTime)
	case indexed:
		return slices.Contains(c.codes, NoText)
	}
	return slices.Contains(c.page.Codes, NoText)
}

// readTexts reads texts, or integers as texts.
func (c *pageColumn) readTexts(out []int32, values encoding.Values) {
	var text []byte
	switch kind := values.Kind(); {
	case kind == encoding.Int32 && c.unsigned:
		for i, v := range values.Uint32() {
			text = strconv.AppendUint(text[:0], uint64(v), 10)
			out[i] = c.want.Words.code(text)
		}
	case kind == encoding.Int32:
		for i, v := range values.Int32() {
			text = strconv.AppendInt(text[:0], int64(v), 10)
			out[i] = c.want.Words.code(text)
		}
	case kind == encoding.Int64 && c.unsigned:
		for i, v := range values.Uint64() {
			text = strconv.AppendUint(text[:0], v, 10)
			out[i] = c.want.Words.code(text)
		}
	case kind == encoding.Int64:
		for i, v := range values.Int64() {
			text = strconv.AppendInt(text[:0], v, 10)
			out[i] = c.want.Words.code(text)
		}
	default:
		eachText(values, func(i int, text []byte) { out[i] = c.want.Words.code(bytes.TrimSpace(text)) })
	}
}

// decodeTimes reads the times of a page.
func (c *pageColumn) decodeTimes(values encoding.Values, indexed bool) {
	if !indexed {
		c.readTimes(&c.page, values)
		return
	}
	for i, at := range values.Int32() {
		c.page.Times[i] = c.times.Times[at]
	}
	if c.times.Again == nil {
		return
	}
	c.page.Again = make([]int64, len(c.page.Times))
	for i, at := range values.Int32() {
		c.page.Again[i] = c.times.Again[at]
	}
}

// readTimes reads timestamps, or what the clock reads.
func (c *pageColumn) readTimes(out *Column, values encoding.Values) {
	switch values.Kind() {
	case encoding.Int32:
		eachTime(out, values.Int32(), func(v int32) (ns, again int64) { return c.fromInteger(int64(v)) })
	case encoding.Int64:
		eachTime(out, values.Int64(), c.fromInteger)
	case encoding.Int96:
		eachTime(out, values.Int96(), func(v deprecated.Int96) (ns, again int64) { return julian(v), 0 })
	case encoding.Float:
		eachTime(out, values.Float(), func(v float32) (ns, again int64) { return c.fromFloat(float64(v)) })
	case encoding.Double:
		eachTime(out, values.Double(), c.fromFloat)
	default:
		eachText(values, func(i int, text []byte) {
			ns, again := c.watch.Parse(text)
			if out.setTime(i, ns, again); ns == clock.NoTime {
				c.noTimes = append(c.noTimes[:0], text...)
			}
		})
	}
}

// eachTime reads runs of the same time once, as an hour has so many.
func eachTime[T comparable](out *Column, values []T, read func(T) (ns, again int64)) {
	var last T
	ns, again := read(last)
	for i, v := range values[:len(out.Times)] {
		if v != last {
			last = v
			ns, again = read(v)
		}
		out.Times[i] = ns
		if again != 0 {
			out.setTime(i, ns, again)
		}
	}
}

func (c *Column) setTime(i int, ns, again int64) {
	c.Times[i] = ns
	if again != 0 && c.Again == nil {
		c.Again = make([]int64, len(c.Times))
	}
	if again != 0 {
		c.Again[i] = again
	}
}

func (c *pageColumn) fromInteger(v int64) (ns, again int64) {
	switch {
	case c.tick != 0 && c.local:
		return c.watch.Wall(clock.Scale(v, c.tick))
	case c.tick != 0:
		return clock.Scale(v, c.tick), 0
	}
	if ns, again = c.watch.Integer(v); ns == clock.NoTime {
		c.noTimes = strconv.AppendInt(c.noTimes[:0], v, 10)
	}
	return ns, again
}

func (c *pageColumn) fromFloat(v float64) (ns, again int64) {
	if ns, again = c.watch.Float(v); ns == clock.NoTime {
		c.noTimes = strconv.AppendFloat(c.noTimes[:0], v, 'f', -1, 64)
	}
	return ns, again
}

// julian reads the old form of timestamps: nanoseconds of a Julian day.
func julian(v deprecated.Int96) int64 {
	const epoch = 2_440_588 // 1970-01-01
	days := clock.Scale(int64(v[2])-epoch, int64(24*time.Hour))
	if days == clock.NoTime {
		return clock.NoTime
	}
	return days + int64(uint64(v[1])<<32|uint64(v[0]))
}
