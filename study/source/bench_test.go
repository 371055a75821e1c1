package source

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/limpet-storage/limpet/lab/simulate/fleet"
	"github.com/limpet-storage/limpet/study"
)

// benchFleet writes a fleet of two million records.
func benchFleet(b *testing.B, format fleet.Format) string {
	b.Helper()
	o := fleet.DefaultOptions()
	o.DiskGroups, o.SSDGroups, o.Days, o.Format = 500, 100, 10, format
	dir := filepath.Join(b.TempDir(), "fleet")
	if _, err := fleet.Write(b.Context(), dir, o, nil); err != nil {
		b.Fatal(err)
	}
	return dir
}

func benchmarkRead(b *testing.B, dir string, spilled bool) {
	o := DefaultOptions()
	o.Workers = 1
	rows := 0
	b.ReportAllocs()
	for b.Loop() {
		s, err := Open(b.Context(), []string{dir}, o)
		if err != nil {
			b.Fatal(err)
		}
		if s.Sorted() == spilled {
			b.Fatal("records are not in the order that was meant")
		}
		rows += drain(b, s)
		s.Close()
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}

// drain reads all streams, one after the other.
func drain(b *testing.B, s *Source) (rows int) {
	var batch study.Batch
	for _, h := range s.Streams(context.Background()) {
		for {
			err := h.Next(&batch)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			rows += batch.Len()
		}
	}
	return rows
}

func BenchmarkParquet(b *testing.B) { benchmarkRead(b, benchFleet(b, fleet.Parquet), false) }

func BenchmarkCSV(b *testing.B) { benchmarkRead(b, benchFleet(b, fleet.CSV), false) }

// BenchmarkUnsorted reads days whose files are in the wrong order within, so
// that all records pass through temporary files.
func BenchmarkUnsorted(b *testing.B) {
	dir := benchFleet(b, fleet.CSV)
	shuffleFiles(b, dir)
	benchmarkRead(b, dir, true)
}

// shuffleFiles puts the second half of every file before the first.
func shuffleFiles(b *testing.B, dir string) {
	paths, _ := filepath.Glob(filepath.Join(dir, "records", "*.csv"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		header, half := lineEnd(data, 0), lineEnd(data, len(data)/2)
		turned := append(append(append([]byte{}, data[:header]...), data[half:]...), data[header:half]...)
		if err := os.WriteFile(path, turned, 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

func lineEnd(data []byte, from int) int {
	for data[from] != '\n' {
		from++
	}
	return from + 1
}

// BenchmarkParquetPlain is the twin: the same files through structs.
func BenchmarkParquetPlain(b *testing.B) {
	type row struct {
		Time    int64  `parquet:"time,timestamp(millisecond)"`
		Group   string `parquet:"group"`
		Drive   string `parquet:"drive"`
		IOs     int32  `parquet:"ios"`
		Latency *int32 `parquet:"latency_us"`
		Size    *int32 `parquet:"size_bytes"`
	}
	dir := benchFleet(b, fleet.Parquet)
	paths, _ := filepath.Glob(filepath.Join(dir, "records", "*.parquet"))
	rows := 0
	for b.Loop() {
		for _, path := range paths {
			all, err := parquet.ReadFile[row](path)
			if err != nil {
				b.Fatal(err)
			}
			rows += len(all)
		}
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
}
