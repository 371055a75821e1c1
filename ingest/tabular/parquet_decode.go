package tabular

import (
	"math"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
)

// decodeNumbers converts the numbers of a page. If `indexed` is true, `values` has indexes of
// values in the dictionary of the column.
func (c *pageColumn) decodeNumbers(values encoding.Values, indexed bool) {
	if !indexed {
		c.readNumbers(c.page.Numbers, values, func(i int, fault Fault) { c.note(i, fault, values, i) })
		return
	}
	for i, at := range values.Int32() {
		c.page.Numbers[i] = c.numbers[at]
	}
	if c.faults == nil {
		return
	}
	known := c.dictionary.Page().Data()
	for i, at := range values.Int32() {
		if fault := c.faults[at]; fault != noFault {
			c.note(i, fault, known, int(at))
		}
	}
}

// manyTexts is the largest number of wrong values of a page whose texts are kept for messages.
const manyTexts = 64

// note stores the fault of the i-th value of the page. The parameter `at` is the index of this
// value in `values`.
func (c *pageColumn) note(i int, fault Fault, values encoding.Values, at int) {
	wrong := wrongValue{row: c.rowOf(i), fault: fault}
	if len(c.wrong) < manyTexts {
		wrong.text = string(c.print(nil, values, at))
	}
	c.wrong = append(c.wrong, wrong)
}

// rowOf returns the row of the i-th value of the page. A page has no values for rows with a null.
func (c *pageColumn) rowOf(i int) int {
	if c.levels == nil {
		return i
	}
	from, before := 0, 0
	if n := len(c.wrong); n > 0 { // begin after the last wrong value, not at the start of the page
		from, before = c.wrong[n-1].row+1, c.valuesBefore
	}
	for row := from; row < len(c.levels); row++ {
		if c.levels[row] == 0 {
			continue
		}
		if before == i {
			c.valuesBefore = before + 1
			return row
		}
		before++
	}
	return len(c.levels)
}

// readNumbers converts values of any type to numbers. It calls note(i, fault) if the i-th
// value has a fault.
func (c *pageColumn) readNumbers(out []float64, values encoding.Values, note func(int, Fault)) {
	scale, most := c.want.Factor(), c.want.Limit()
	switch kind := values.Kind(); {
	case kind == encoding.Int32 && c.divisor != 1:
		divideNumbers(out, values.Int32(), c.divisor, scale, most, note)
	case kind == encoding.Int64 && c.divisor != 1:
		divideNumbers(out, values.Int64(), c.divisor, scale, most, note)
	case kind == encoding.Int32 && c.unsigned:
		scaleNumbers(out, values.Uint32(), scale, most, note)
	case kind == encoding.Int32:
		countNumbers(out, values.Int32(), scale, most, note)
	case kind == encoding.Int64 && c.unsigned:
		scaleNumbers(out, values.Uint64(), scale, most, note)
	case kind == encoding.Int64:
		countNumbers(out, values.Int64(), scale, most, note)
	case kind == encoding.Float:
		scaleNumbers(out, values.Float(), scale, most, note)
	case kind == encoding.Double:
		scaleNumbers(out, values.Double(), scale, most, note)
	default:
		eachText(values, func(i int, text []byte) {
			var fault Fault
			if out[i], fault = parseNumber(text, scale, most); fault != noFault {
				note(i, fault)
			}
		})
	}
}

// countNumbers converts signed integers, which are the most frequent type.
func countNumbers[T int32 | int64](out []float64, values []T, scale, most float64, note func(int, Fault)) {
	for i, v := range values[:len(out)] {
		out[i] = float64(v) * scale
		switch {
		case v < 0:
			out[i] = math.NaN()
			note(i, Negative)
		case out[i] > most:
			out[i] = math.NaN()
			note(i, Unbelievable)
		}
	}
}

func scaleNumbers[T uint32 | uint64 | float32 | float64](out []float64, values []T, scale, most float64, note func(int, Fault)) {
	for i, v := range values[:len(out)] {
		var fault Fault
		if out[i], fault = checkPlausible(float64(v), scale, most); fault != noFault {
			note(i, fault)
		}
	}
}

// divideNumbers converts decimals, which are stored as integers with a common divisor.
func divideNumbers[T int32 | int64](out []float64, values []T, divisor, scale, most float64, note func(int, Fault)) {
	for i, v := range values[:len(out)] {
		var fault Fault
		if out[i], fault = checkPlausible(float64(v)/divisor, scale, most); fault != noFault {
			note(i, fault)
		}
	}
}

// eachText calls the function `do` for each text.
func eachText(values encoding.Values, do func(i int, text []byte)) {
	data, offsets := values.ByteArray()
	for i := range len(offsets) - 1 {
		do(i, data[offsets[i]:offsets[i+1]])
	}
}

// decodeTexts sets the codes of the texts of a page. If `indexed` is true, `values` has indexes of
// values in the dictionary of the column.
func (c *pageColumn) decodeTexts(values encoding.Values, indexed bool) {
	if !indexed {
		c.readTexts(c.page.Codes, values)
		return
	}
	for i, at := range values.Int32() {
		c.page.Codes[i] = c.codes[at]
	}
}

// readTexts sets the codes of texts. It converts values of other types to the text that a
// CSV file would have.
func (c *pageColumn) readTexts(out []int32, values encoding.Values) {
	if values.Kind() == encoding.ByteArray {
		eachText(values, func(i int, text []byte) { out[i] = c.want.Words.CodeOf(text) })
		return
	}
	var text []byte
	for i := range out {
		text = c.print(text[:0], values, i)
		out[i] = c.want.Words.CodeOf(text)
	}
}

// print appends the i-th value, as the text that a CSV file would have.
func (c *pageColumn) print(text []byte, values encoding.Values, i int) []byte {
	switch kind := values.Kind(); {
	case kind == encoding.Int32 && c.divisor != 1:
		return strconv.AppendFloat(text, float64(values.Int32()[i])/c.divisor, 'f', -1, 64)
	case kind == encoding.Int64 && c.divisor != 1:
		return strconv.AppendFloat(text, float64(values.Int64()[i])/c.divisor, 'f', -1, 64)
	case kind == encoding.Int32 && c.unsigned:
		return strconv.AppendUint(text, uint64(values.Uint32()[i]), 10)
	case kind == encoding.Int32:
		return strconv.AppendInt(text, int64(values.Int32()[i]), 10)
	case kind == encoding.Int64 && c.unsigned:
		return strconv.AppendUint(text, values.Uint64()[i], 10)
	case kind == encoding.Int64:
		return strconv.AppendInt(text, values.Int64()[i], 10)
	case kind == encoding.Int96:
		return values.Int96()[i].Int().Append(text, 10)
	case kind == encoding.Float:
		return strconv.AppendFloat(text, float64(values.Float()[i]), 'f', -1, 32)
	case kind == encoding.Double:
		return strconv.AppendFloat(text, values.Double()[i], 'f', -1, 64)
	case kind == encoding.Boolean:
		const bits = 8
		return strconv.AppendBool(text, values.Boolean()[i/bits]>>(i%bits)&1 == 1)
	}
	data, offsets := values.ByteArray()
	return append(text, data[offsets[i]:offsets[i+1]]...)
}

// decodeTimes converts the times of a page. If `indexed` is true, `values` has indexes of values in
// the dictionary of the column.
func (c *pageColumn) decodeTimes(values encoding.Values, indexed bool) {
	if !indexed {
		c.readTimes(&c.page, values)
		c.noteTimes(values, func(i int) int { return i })
		return
	}
	for i, at := range values.Int32() {
		c.page.Times[i] = c.times.Times[at]
	}
	places := values.Int32()
	c.noteTimes(c.dictionary.Page().Data(), func(i int) int { return int(places[i]) })
	if c.times.LaterTimes == nil {
		return
	}
	c.page.LaterTimes = make([]int64, len(c.page.Times))
	for i, at := range places {
		c.page.LaterTimes[i] = c.times.LaterTimes[at]
	}
}

// noteTimes stores a fault for each value of the page that is not a time. The result of place(i) is
// the index of the i-th value in `values`.
func (c *pageColumn) noteTimes(values encoding.Values, place func(i int) int) {
	for i, ns := range c.page.Times {
		if ns < 0 {
			c.note(i, notTime, values, place(i))
		}
	}
}

// readTimes converts values of any type to times. The clock converts values that are not
// timestamps.
func (c *pageColumn) readTimes(out *Column, values encoding.Values) {
	switch values.Kind() {
	case encoding.Int32:
		eachTime(out, values.Int32(), func(v int32) (ns, again int64) { return c.fromInteger(int64(v)) })
	case encoding.Int64:
		eachTime(out, values.Int64(), c.fromInteger)
	case encoding.Int96:
		eachTime(out, values.Int96(), func(v deprecated.Int96) (ns, again int64) { return julian(v), 0 })
	case encoding.Float:
		eachTime(out, values.Float(), func(v float32) (ns, again int64) { return c.watch.Float(float64(v)) })
	case encoding.Double:
		eachTime(out, values.Double(), c.watch.Float)
	default:
		eachText(values, func(i int, text []byte) {
			ns, again := c.watch.Parse(text)
			out.SetTime(i, ns, again)
		})
	}
}

// eachTime converts times. It converts successive equal times only once, because many
// rows have the same time.
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
			out.SetTime(i, ns, again)
		}
	}
}

func (c *pageColumn) fromInteger(v int64) (ns, again int64) {
	switch {
	case c.tick != 0 && c.local:
		return c.watch.Wall(scale(v, c.tick))
	case c.tick != 0:
		return scale(v, c.tick), 0
	case c.divisor != 1:
		return c.watch.Float(float64(v) / c.divisor)
	}
	return c.watch.Integer(v)
}

// julian converts a timestamp of the type INT96: a Julian day, and the nanoseconds since
// the beginning of that day.
func julian(v deprecated.Int96) int64 {
	const epoch = 2_440_588 // the Julian day of 1970-01-01
	days := scale(int64(v[2])-epoch, int64(24*time.Hour))
	if days < 0 {
		return days
	}
	return scale(days+int64(uint64(v[1])<<32|uint64(v[0])), 1)
}
