package draft_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
	"github.com/limpet-storage/limpet/topology/site/draft"
)

// FuzzDraft looks for outputs of which a draft is made that limpet would not
// read, over all parsers: each takes its turn at every input.
func FuzzDraft(f *testing.F) {
	files, _ := filepath.Glob(checkout.Path(f, "topology/site/testdata/*/*.txt"))
	if len(files) < 20 {
		f.Fatalf("%d fixtures", len(files))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := site.ReadText("fs1.txt", data, nil)
		site := site.Join(r.Inventory)
		text, err := draft.Topology(site, draft.Options{Name: "fuzz", Source: "a fuzzer"})
		if err != nil {
			return
		}
		if _, _, err := topology.Parse("draft.yaml", text); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
	})
}
