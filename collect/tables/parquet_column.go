package tables

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/limpet-storage/limpet/table"
)

// A parquetColumn reads one column of a row group and turns its values into
// what a table holds, by their physical type and what it stands for.
type parquetColumn struct {
	leaf     parquet.LeafColumn
	kind     parquet.Kind
	unsigned bool
	decimal  bool
	scale    float64       // of a decimal; 1 otherwise
	tick     time.Duration // of a time; 0 where the column is none
	local    bool          // the time is that of an unnamed zone

	pages  parquet.Pages
	values parquet.ValueReader // of the current page, nil before the first
	buf    [batchLines]parquet.Value
	out    []byte
}

func newParquetColumn(leaf parquet.LeafColumn) (*parquetColumn, error) {
	c := &parquetColumn{leaf: leaf, kind: leaf.Node.Type().Kind(), scale: 1}
	if logical := leaf.Node.Type().LogicalType(); logical != nil {
		c.annotate(logical.Value)
	}
	if c.kind == parquet.Int96 {
		c.tick = time.Nanosecond
	}
	if c.kind == parquet.FixedLenByteArray || c.decimal && c.kind == parquet.ByteArray {
		return c, fmt.Errorf("column %s is of type %s, which is not read; write it as DOUBLE or STRING", leaf.Path[0], leaf.Node.Type())
	}
	return c, nil
}

func (c *parquetColumn) annotate(logical format.LogicalTypeValue) {
	switch t := logical.(type) {
	case *format.IntType:
		c.unsigned = !t.IsSigned
	case *format.DecimalType:
		c.decimal, c.scale = true, math.Pow10(int(t.Scale))
	case *format.DateType:
		c.tick = 24 * time.Hour
	case *format.TimestampType:
		c.tick, c.local = t.Unit.Value.Duration(), !t.IsAdjustedToUTC
	}
}

func (c *parquetColumn) begin(chunk parquet.ColumnChunk) {
	c.close()
	c.pages = chunk.Pages()
}

func (c *parquetColumn) close() {
	if c.pages != nil {
		c.pages.Close()
	}
	c.pages, c.values = nil, nil
}

// read fills buf with the next n values. Pages are left to the garbage
// collector, not released, as texts in buf are parts of them.
func (c *parquetColumn) read(n int) error {
	for have := 0; have < n; {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				return unexpected(err)
			}
			c.values = page.Values()
		}
		m, err := c.values.ReadValues(c.buf[have:n])
		have += m
		switch {
		case err == io.EOF:
			c.values = nil
		case err != nil:
			return err
		case m == 0:
			return io.ErrNoProgress
		}
	}
	return nil
}

// unexpected is the end of a column before that of its row group.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// value gives a measured value.
func (c *parquetColumn) value(i int) (float64, fault) {
	v := &c.buf[i]
	switch {
	case v.IsNull():
		return table.Missing, none
	case c.kind == parquet.Double:
		return checkValue(v.Double())
	case c.kind == parquet.Float:
		return checkValue(float64(v.Float()))
	case c.kind == parquet.ByteArray:
		return parseValue(v.ByteArray())
	case c.kind == parquet.Int32 || c.kind == parquet.Int64:
		return checkValue(c.number(v) / c.scale)
	}
	return table.Missing, notNumber
}

func (c *parquetColumn) number(v *parquet.Value) float64 {
	if c.unsigned {
		return float64(c.bits(v))
	}
	return float64(c.integer(v))
}

func (c *parquetColumn) integer(v *parquet.Value) int64 {
	if c.kind == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// bits are those of an unsigned integer, which is stored as a signed one.
func (c *parquetColumn) bits(v *parquet.Value) uint64 {
	if c.kind == parquet.Int32 {
		return uint64(v.Uint32())
	}
	return v.Uint64()
}

// text gives a value as a table of lines would have it, empty where it is
// null; valid until the next call.
func (c *parquetColumn) text(i int) []byte {
	v, out := &c.buf[i], c.out[:0]
	switch {
	case v.IsNull():
		return nil
	case c.kind == parquet.ByteArray:
		return v.ByteArray()
	case c.kind == parquet.Double:
		out = strconv.AppendFloat(out, v.Double(), 'f', -1, 64)
	case c.kind == parquet.Float:
		out = strconv.AppendFloat(out, float64(v.Float()), 'f', -1, 32)
	case c.kind == parquet.Boolean:
		out = strconv.AppendBool(out, v.Boolean())
	case c.kind == parquet.Int96:
		out = v.Int96().Int().Append(out, 10)
	case c.decimal:
		out = strconv.AppendFloat(out, c.number(v)/c.scale, 'f', -1, 64)
	case c.unsigned:
		out = strconv.AppendUint(out, c.bits(v), 10)
	default:
		out = strconv.AppendInt(out, c.integer(v), 10)
	}
	c.out = out
	return out
}

// nanoseconds gives a time: that of a timestamp, or else what the clock reads.
func (c *parquetColumn) nanoseconds(i int, clock *clock) (ns int64, ok bool) {
	v := &c.buf[i]
	switch {
	case v.IsNull():
		return 0, false
	case c.kind == parquet.Int96:
		return julian(v.Int96()), true
	case c.tick != 0:
		return c.zoned(scaleInteger(c.integer(v), int64(c.tick)), clock.zone), true
	case clock.unit != 0 && !c.decimal && (c.kind == parquet.Int32 || c.kind == parquet.Int64):
		return scaleInteger(c.integer(v), clock.unit), true
	case clock.unit != 0 && c.kind == parquet.Double:
		return scaleTime(v.Double(), clock.unit), true
	}
	return clock.parse(c.text(i))
}

func scaleInteger(v, unit int64) int64 {
	if v < 0 || v >= endOfTimes/unit {
		return endOfTimes
	}
	return v * unit
}

// zoned moves a local time from UTC, in which it is stored, to its zone.
func (c *parquetColumn) zoned(ns int64, zone *time.Location) int64 {
	if !c.local || zone == time.UTC || !inRange(ns) {
		return ns
	}
	t := time.Unix(0, ns).UTC()
	return nanoseconds(time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone))
}

// julian reads the old form of timestamps: nanoseconds of a Julian day.
func julian(v deprecated.Int96) int64 {
	const epoch = 2_440_588 // 1970-01-01
	day := int64(v[2]) - epoch
	if days := scaleInteger(day, int64(24*time.Hour)); days != endOfTimes {
		return days + int64(uint64(v[1])<<32|uint64(v[0]))
	}
	return endOfTimes
}
