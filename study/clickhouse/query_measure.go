// This file writes the queries for ClickHouse: SQL from a table's columns and a
// description of their meaning. It sends nothing.
//
// The queries are in the folder sql. Each is a subquery of the next: rows, hours, slowdowns,
// and then cells and tallies. They use only SQL that ClickHouse 18.16 and current versions
// understand:
//
//   - There are no window functions.
//   - A SELECT has one join: ANY LEFT with USING, of named subqueries.
//   - A lambda uses only its arguments, because 18.16 drops columns that occur only inside a
//     lambda. replicate(x, array) passes a value to a lambda.
//   - Infinity and NaN are never converted to an integer.

package clickhouse

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// missing is SQL for an unknown value. Known values are never negative. Unlike NaN, -1 can be
// sorted.
const missing = "toFloat32(-1)"

// greatest is the largest float32.
const greatest = "3.4028234663852886e38"

// A measure holds SQL for the I/O of one direction.
type measure struct{ ios, latency, size string }

// sourceColumns gives each value of a table a name in a query, so that each expression occurs
// only once in the query.
type sourceColumns struct {
	*schema
	list  []string // SQL columns of the values
	wrong []string // SQL that is 1 if a value is invalid
}

// measures returns the measures of all directions that the data have, and their columns.
func (s *schema) measures(d *source.Description) (c *sourceColumns, of map[study.Direction]measure, err error) {
	c = &sourceColumns{schema: s}
	of = make(map[study.Direction]measure)
	for direction, m := range d.Measures {
		if m == nil {
			continue
		}
		var errs [3]error
		var out measure
		out.ios, errs[0] = c.value(m.IOs.Column, m.IOs.Scale, m.IOs.Assumed)
		out.latency, errs[1] = c.value(m.Latency.Column, m.Latency.Scale, false)
		out.size, errs[2] = c.value(m.Size.Column, m.Size.Scale, m.Size.Assumed)
		if err := errors.Join(errs[:]...); err != nil {
			return nil, nil, err
		}
		of[study.Direction(direction)] = out
	}
	if d.Measures[study.All] == nil {
		of[study.All] = both(of[study.Reads], of[study.Writes])
	}
	return c, of, nil
}

// value adds a column and returns the name of its values; missing if there is no column.
func (c *sourceColumns) value(column string, scale float64, assumed bool) (string, error) {
	if column == "" || assumed && !c.Has(column) {
		return missing, nil
	}
	kind, nullable, err := c.require(column)
	if err != nil {
		return "", err
	}
	if !isInteger(kind) && kind != "Float32" && kind != "Float64" {
		return "", fmt.Errorf("table %s: column %s has the type %s, which is not a number; change the type to Float64 or an integer, or name a view that casts the column", c.Table, column, kind)
	}
	name := fmt.Sprintf("value%d", len(c.list)+1)
	number := scaled(column, nullable, -1, scale)
	c.list = append(c.list, fmt.Sprintf("if(%[1]s >= 0 AND %[1]s <= %[2]s, toFloat32(%[1]s), %[3]s) AS %[4]s", number, greatest, missing, name))
	number = scaled(column, nullable, 0, scale)
	c.wrong = append(c.wrong, fmt.Sprintf("(%[1]s < 0 OR %[1]s > %[2]s)", number, greatest))
	return name, nil
}

// scaled returns SQL for a column's number in base units. NULL becomes the number absent.
func scaled(column string, nullable bool, absent int, scale float64) string {
	number := identifier(column)
	if nullable {
		number = fmt.Sprintf("ifNull(toFloat64(%s), toFloat64(%d))", number, absent)
	}
	if scale != 1 {
		number = fmt.Sprintf("toFloat64(%s) * %s", number, exact(scale))
	}
	return number
}

// both returns the measure of reads and writes together, as study/source computes it.
func both(r, w measure) measure {
	return measure{
		ios:     fmt.Sprintf("if(%s < 0 OR %s < 0, %s, toFloat32(%s + %s))", r.ios, w.ios, missing, r.ios, w.ios),
		latency: mean(r.ios, r.latency, w.ios, w.latency),
		size:    mean(r.ios, r.size, w.ios, w.size),
	}
}

// mean returns SQL for the weighted mean of two values. A value of weight 0 may be unknown.
func mean(w1, v1, w2, v2 string) string {
	return fmt.Sprintf("multiIf(%[1]s = 0 AND %[3]s = 0, %[5]s, %[1]s = 0 AND %[3]s > 0, %[4]s, %[3]s = 0 AND %[1]s > 0, %[2]s, "+
		"%[1]s < 0 OR %[2]s < 0 OR %[3]s < 0 OR %[4]s < 0, %[5]s, "+
		"toFloat32((toFloat64(%[1]s) * toFloat64(%[2]s) + toFloat64(%[3]s) * toFloat64(%[4]s)) / (toFloat64(%[1]s) + toFloat64(%[3]s))))",
		w1, v1, w2, v2, missing)
}
