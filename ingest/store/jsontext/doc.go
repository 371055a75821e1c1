// Package jsontext reads the JSON of stores as it comes: numbers by the million,
// names by the thousand. It holds no more than one word of it.
//
// encoding/json is its twin in tests.
package jsontext
