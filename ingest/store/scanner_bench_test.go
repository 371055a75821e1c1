package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// matrixReaders add up the times and the values of a matrix, the answer of
// Prometheus to a query of a range. They differ in the decoder alone.
var matrixReaders = map[string]func(io.Reader) (matrixSum, error){
	"scanner":      sumByScanner,
	"json.Decoder": sumByDecoder,
	"json.Token":   sumByTokens,
}

// matrixSum is what a reader found in a matrix.
type matrixSum struct {
	series, labels, samples int
	times, values           float64
}

// matrix returns an answer with counters of node_exporter, a sample every 15 s.
func matrix(series, samples int) string {
	rng := rand.New(rand.NewPCG(9, 9))
	var b strings.Builder
	b.WriteString(`{"status":"success","data":{"resultType":"matrix","result":[`)
	for i := range series {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"metric":{"__name__":"node_disk_read_time_seconds_total","device":"sd%c","instance":"fs%02d:9100","job":"node"},"values":[`, 'a'+i%10, i/10)
		counter := rng.Float64() * 1e6
		for k := range samples {
			if k > 0 {
				b.WriteByte(',')
			}
			counter += rng.Float64() * 15
			fmt.Fprintf(&b, `[%d.%03d,"%s"]`, 1549891457+15*k, 10+i, strconv.FormatFloat(counter, 'f', 3, 64))
		}
		b.WriteString("]}")
	}
	b.WriteString("]}}")
	return b.String()
}

func sumByScanner(in io.Reader) (m matrixSum, err error) {
	s := newScanner(in)
	var pair [2]float64
	series := func() {
		m.series++
		s.Object(func(key []byte) {
			switch string(key) {
			case "metric":
				s.Object(func([]byte) { s.String(); m.labels++ })
			case "values":
				s.Array(func() {
					i := 0
					s.Array(func() { pair[i&1], _ = s.Number(); i++ })
					m.add(pair)
				})
			default:
				s.Skip()
			}
		})
	}
	s.Object(func(key []byte) {
		if string(key) != "data" {
			s.Skip()
			return
		}
		s.Object(func(key []byte) {
			if string(key) != "result" {
				s.Skip()
				return
			}
			s.Array(series)
		})
	})
	return m, s.Err()
}

func (m *matrixSum) add(pair [2]float64) {
	m.samples++
	m.times += pair[0]
	m.values += pair[1]
}

// matrixSample is [1549891457.01,"1"].
type matrixSample [2]float64

func (p *matrixSample) UnmarshalJSON(b []byte) (err error) {
	first, second, ok := strings.Cut(strings.Trim(string(b), "[]"), ",")
	if !ok {
		return errors.New("no sample")
	}
	if p[0], err = strconv.ParseFloat(first, 64); err != nil {
		return err
	}
	p[1], err = strconv.ParseFloat(strings.Trim(second, `"`), 64)
	return err
}

// sumByDecoder decodes one series at a time.
func sumByDecoder(in io.Reader) (m matrixSum, err error) {
	d := json.NewDecoder(in)
	if err := enterResult(d); err != nil {
		return m, err
	}
	for d.More() {
		var one struct {
			Metric map[string]string `json:"metric"`
			Values []matrixSample    `json:"values"`
		}
		if err := d.Decode(&one); err != nil {
			return m, err
		}
		m.series++
		m.labels += len(one.Metric)
		for _, p := range one.Values {
			m.add(p)
		}
	}
	return m, nil
}

// enterResult reads the tokens up to the first series.
func enterResult(d *json.Decoder) error {
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		if t == "result" {
			_, err := d.Token()
			return err
		}
	}
}

// sumByTokens reads a series token by token.
func sumByTokens(in io.Reader) (m matrixSum, err error) {
	d := json.NewDecoder(in)
	if err := enterResult(d); err != nil {
		return m, err
	}
	for d.More() {
		if err := m.tokens(d); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (m *matrixSum) tokens(d *json.Decoder) error {
	var pair [2]float64
	depth, i, inValues, strs := 0, 0, false, 0
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case json.Delim:
			switch t {
			case '{', '[':
				depth++
				i = 0
			case '}', ']':
				depth--
				if depth == 2 && inValues {
					m.add(pair)
				}
				if depth == 0 {
					m.series++
					m.labels += strs / 2
					return nil
				}
			}
		case float64:
			pair[0], i = t, 1
		case string:
			switch {
			case inValues:
				if pair[i], err = strconv.ParseFloat(t, 64); err != nil {
					return err
				}
			case t == "values" && depth == 1:
				inValues = true
			case depth == 2:
				strs++
			}
		}
	}
}

// TestMatrixReaders: the readers that BenchmarkMatrix compares read the same.
func TestMatrixReaders(t *testing.T) {
	for name, read := range matrixReaders {
		checkMatrixReader(t, name, read)
	}
}

func checkMatrixReader(t *testing.T, name string, read func(io.Reader) (matrixSum, error)) {
	t.Helper()
	text := matrix(20, 50)
	want, err := sumByDecoder(strings.NewReader(text))
	if err != nil || want.series != 20 || want.labels != 80 || want.samples != 1000 {
		t.Fatal(want, err)
	}
	if got, err := read(strings.NewReader(text)); err != nil || got != want {
		t.Errorf("%s: %+v, not %+v: %v", name, got, want, err)
	}
}

// BenchmarkMatrix reads 200 series of 5,000 samples: the drives of 20 servers
// over a day.
func BenchmarkMatrix(b *testing.B) {
	text := matrix(200, 5000)
	for name, read := range matrixReaders {
		b.Run(name, func(b *testing.B) { benchmarkMatrix(b, text, read) })
	}
}

func benchmarkMatrix(b *testing.B, text string, read func(io.Reader) (matrixSum, error)) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if m, err := read(strings.NewReader(text)); err != nil || m.samples != 1_000_000 {
			b.Fatal(m, err)
		}
	}
}
