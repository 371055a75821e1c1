// Package query writes the questions that ClickHouse is asked: SQL of a table's
// columns and a description of what they mean. It asks no one.
//
// The queries stand in sql, from the records up, each within the next ones:
// rows, hours, slowdowns, and then cells and tallies. They are kept to what
// ClickHouse 18.16 and current versions both take:
//
//   - no window functions; one join a SELECT, ANY LEFT by USING, of subqueries
//     that have names;
//   - a lambda uses nothing but its arguments, since 18.16 forgets columns that
//     stand in no other place: replicate(x, array) hands a value to all of an
//     array;
//   - nothing that is infinite or no number becomes an integer.
package query
