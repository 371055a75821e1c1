// This file writes the queries for ClickHouse: SQL from a table's columns and a
// description of their meaning. It sends nothing.
//
// The queries stand in sql, from the records up, each within the next one: rows, hours,
// slowdowns, and then cells and tallies. They are restricted to the SQL that ClickHouse
// 18.16 and current versions both take:
//
//   - no window functions; one join a SELECT, ANY LEFT by USING, of subqueries
//     that have names;
//   - a lambda uses nothing but its arguments, since 18.16 forgets columns that
//     stand in no other place: replicate(x, array) hands a value to all of an
//     array;
//   - no infinity and no NaN becomes an integer.

package clickhouse

import (
	"errors"
	"fmt"

	"github.com/limpet-storage/limpet/study"
	"github.com/limpet-storage/limpet/study/source"
)

// missing is what stands for a value that is not known: all others are not
// below zero, and unlike NaN it has its place in an order.
const missing = "toFloat32(-1)"

// greatest is the largest float32.
const greatest = "3.4028234663852886e38"

// A measure is the I/O of one direction, as SQL.
type measure struct{ ios, latency, size string }

// sourceColumns reads values out of a table under names of their own, so that no
// expression stands in a query more than once.
type sourceColumns struct {
	*schema
	list  []string
	wrong []string // SQL that is 1 where a value cannot have been measured
}

// measures are those of all directions that the data have, and the columns
// that they are made of.
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

// value is the name of a column's values, or what is missing where there is
// none.
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

// scaled is a column's number in base units; where there is none, it is absent.
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

// both is all I/O where the data have reads and writes apart, as study/source
// puts them together.
func both(r, w measure) measure {
	return measure{
		ios:     fmt.Sprintf("if(%s < 0 OR %s < 0, %s, toFloat32(%s + %s))", r.ios, w.ios, missing, r.ios, w.ios),
		latency: mean(r.ios, r.latency, w.ios, w.latency),
		size:    mean(r.ios, r.size, w.ios, w.size),
	}
}

// mean weights two values; one without weight need not be known.
func mean(w1, v1, w2, v2 string) string {
	return fmt.Sprintf("multiIf(%[1]s = 0 AND %[3]s = 0, %[5]s, %[1]s = 0 AND %[3]s > 0, %[4]s, %[3]s = 0 AND %[1]s > 0, %[2]s, "+
		"%[1]s < 0 OR %[2]s < 0 OR %[3]s < 0 OR %[4]s < 0, %[5]s, "+
		"toFloat32((toFloat64(%[1]s) * toFloat64(%[2]s) + toFloat64(%[3]s) * toFloat64(%[4]s)) / (toFloat64(%[1]s) + toFloat64(%[3]s))))",
		w1, v1, w2, v2, missing)
}
