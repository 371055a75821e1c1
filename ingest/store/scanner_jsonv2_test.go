//go:build goexperiment.jsonv2

package store

import (
	"encoding/json/jsontext"
	"io"
	"strconv"
	"testing"
)

// TestMatrixJSONText and BenchmarkMatrixJSONText are TestMatrixReaders and
// BenchmarkMatrix for the decoder of encoding/json/v2.
func TestMatrixJSONText(t *testing.T) { checkMatrixReader(t, "jsontext", sumByJSONText) }

func BenchmarkMatrixJSONText(b *testing.B) { benchmarkMatrix(b, matrix(200, 5000), sumByJSONText) }

// sumByJSONText reads token by token with the decoder of encoding/json/v2.
func sumByJSONText(in io.Reader) (m matrixSum, err error) {
	d := jsontext.NewDecoder(in)
	for {
		t, err := d.ReadToken()
		if err != nil {
			return m, err
		}
		if t.Kind() == '"' && t.String() == "result" {
			break
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return m, err
	}
	for d.PeekKind() == '{' {
		if err := m.jsonText(d); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (m *matrixSum) jsonText(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err != nil {
			return err
		}
		switch key.String() {
		case "metric":
			if err := skipTokens(d, 1); err != nil {
				return err
			}
			for d.PeekKind() == '"' {
				if err := skipTokens(d, 2); err != nil { // name and value
					return err
				}
				m.labels++
			}
			if err := skipTokens(d, 1); err != nil {
				return err
			}
		case "values":
			if err := m.jsonTextValues(d); err != nil {
				return err
			}
		default:
			if err := d.SkipValue(); err != nil {
				return err
			}
		}
	}
	m.series++
	_, err := d.ReadToken()
	return err
}

func (m *matrixSum) jsonTextValues(d *jsontext.Decoder) error {
	var pair [2]float64
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '[' {
		if err := skipTokens(d, 1); err != nil {
			return err
		}
		t, err := d.ReadToken()
		if err != nil {
			return err
		}
		pair[0] = t.Float()
		if t, err = d.ReadToken(); err != nil {
			return err
		}
		if pair[1], err = strconv.ParseFloat(t.String(), 64); err != nil {
			return err
		}
		m.add(pair)
		if err := skipTokens(d, 1); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func skipTokens(d *jsontext.Decoder, n int) error {
	for range n {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
	}
	return nil
}
