package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/metric"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/record/blklat"
)

var schema = table.Schema{StepSeconds: 15, Metrics: []metric.Metric{metric.TPS, metric.Await}, Components: 3, Servers: 2, Latencies: true}

// written makes a snapshot and a log of some records.
func written(tb testing.TB) (snapshot, log string) {
	dir := tb.TempDir()
	snapshot, log = filepath.Join(dir, name(7, snapshotSuffix)), filepath.Join(dir, name(7, logSuffix))
	f, h := FormOf(schema), fileHead{Generation: 7, Next: 4, Last: 60}
	out, size, err := writeLog(log, h, &f)
	if err := errors.Join(err, writeSnapshot(snapshot, h, []byte("meta"), []byte("blob"))); err != nil {
		tb.Fatal(err)
	}
	defer out.Close()
	r := table.NewRow(schema)
	for n := range 3 {
		r.End, r.Values[1][2] = int64(75+15*n), float64(n)
		r.LatencyOf(n)[1] = table.Requests{Bytes: 9, Device: blklat.Histogram{{Bucket: 7, Requests: 300}}}
		record := f.AppendRow(make([]byte, recordHeadBytes), r)
		seal(record, Row, h.Next+uint64(n))
		if _, err := out.WriteAt(record, size); err != nil {
			tb.Fatal(err)
		}
		size += int64(len(record))
	}
	return snapshot, log
}

// TestBlocks: rows that are idle, busy or lack values are read bit for bit as they were written,
// and never take more space than MaxRowBytes.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := range 2000 {
		wide := schema
		if wide.Components = rng.IntN(200); n%500 == 0 {
			wide.Components = 200_000
		}
		f, r, again := FormOf(wide), table.NewRow(wide), table.NewRow(wide)
		for _, values := range r.Values {
			fillValues(rng, values, n%9)
		}
		b := f.AppendRow(nil, r)
		if !f.GetRow(b, again, make([]bool, 2)) {
			t.Fatal("it is no row")
		}
		for m := range r.Values {
			for c, v := range r.Values[m] {
				if math.Float64bits(v) != math.Float64bits(again.Values[m][c]) {
					t.Fatalf("value %d of metric %d differs", c, m)
				}
			}
		}
		if most := f.MaxRowBytes() + table.MaxUpkeepBytes(wide.Components); len(b) > most {
			t.Fatalf("%d bytes, %d were promised", len(b), most)
		}
		if wide.Components > 0 && (f.GetRow(b[:len(b)-1], again, make([]bool, 2)) || f.GetRow(append(b, 0), again, make([]bool, 2))) {
			t.Fatal("a row of another length is one")
		}
	}
}

// TestGauges: gauges and traffic by client are read as they were written, also the one without the
// other, and a row without them does not inherit those of the row before it.
func TestGauges(t *testing.T) {
	f, r, again := FormOf(schema), table.NewRow(schema), table.NewRow(schema)
	pauses := table.ServerGauges{Known: true, PausesBegan: 2}
	clients := table.ServerGauges{Clients: []table.ClientTraffic{{Name: "", BytesPerSecond: 5}, {Name: "c1", BytesPerSecond: 7}}}
	for _, want := range [][]table.ServerGauges{{pauses, clients}, {clients, {}}, {{}, pauses}, {{}, {}}} {
		r.Gauges = want
		b := f.AppendRow(nil, r)
		if !f.GetRow(b, again, make([]bool, 2)) || !reflect.DeepEqual(again.Gauges, want) {
			t.Errorf("%+v, want %+v", again.Gauges, want)
		}
		if f.GetRow(b[:len(b)-1], again, make([]bool, 2)) {
			t.Error("a cut row is one")
		}
	}
}

// fillValues makes one in some values busy, and others idle or missing in stretches.
func fillValues(rng *rand.Rand, values []float64, oneIn int) {
	rest := 0.0
	for c := range values {
		switch rng.IntN(50) {
		case 0:
			rest = table.Missing
		case 1:
			rest = 0
		case 2:
			rest = math.Copysign(0, -1)
		}
		if values[c] = rest; oneIn == 0 || rng.IntN(oneIn) == 0 {
			values[c] = math.Float64frombits(rng.Uint64())
		}
	}
}

// TestPutBlock compares putBlock with a writer that tests each value.
func TestPutBlock(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for n := range 5000 {
		values := make([]float64, 1+rng.IntN(blockValues))
		fillValues(rng, values, n%9)
		room := make([]byte, maxValuesBytes(len(values)))
		if got, want := room[:putBlock(room, values)], plainBlock(values); !bytes.Equal(got, want) {
			t.Fatalf("%v\n%x\nwant\n%x", values, got, want)
		}
	}
}

func plainBlock(values []float64) []byte {
	out := make([]byte, blockHeadBytes)
	out[8] = fillerOf(values)
	left := [2]uint64{0, math.Float64bits(table.Missing)}[out[8]]
	for i, v := range values {
		if math.Float64bits(v) != left {
			out[i/8] |= 1 << (i % 8)
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		}
	}
	return out
}

// TestOtherVersion: a file of another version is refused with a sentence.
func TestOtherVersion(t *testing.T) {
	snapshot, log := written(t)
	for _, path := range []string{snapshot, log} {
		b, _ := os.ReadFile(path)
		b[16] = 9
		binary.LittleEndian.PutUint32(b[20:], crc32.Checksum(b[:20], castagnoli))
		_ = os.WriteFile(path, b, 0o600)
	}
	_, _, _, err1 := readSnapshot(snapshot)
	_, err2 := openLog(log)
	for _, err := range []error{err1, err2} {
		if err == nil || !strings.Contains(err.Error(), "a newer version of limpet wrote the file (format 9; this version reads formats 3 to 4)") || errors.Is(err, errDamaged) {
			t.Error(err)
		}
	}
}

// FuzzFiles opens any bytes as a snapshot and as a log: none may panic or take much memory, and the
// records that can be read have right checksums.
func FuzzFiles(f *testing.F) {
	snapshot, log := written(f)
	for _, path := range []string{snapshot, log} {
		b, _ := os.ReadFile(path)
		f.Add(b)
		f.Add(b[:len(b)-9])
		f.Add(append(b, 0, 0, 0))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if h, meta, blob, err := readSnapshot(path); err == nil && int(h.first+h.second) != len(meta)+len(blob) {
			t.Error("another length")
		}
		s, err := openLog(path)
		if err != nil {
			return
		}
		defer s.Close()
		for s.Next() {
			if s.Kind() == Row {
				r, heard := s.Form.NewRow()
				s.Form.GetRow(s.Content(), r, heard)
			}
		}
		if s.ValidBytes > int64(len(b)) {
			t.Errorf("%d of %d bytes are good", s.ValidBytes, len(b))
		}
	})
}
