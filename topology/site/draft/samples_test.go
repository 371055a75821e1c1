package draft_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"

	"github.com/limpet-storage/limpet/internal/paths"
	"github.com/limpet-storage/limpet/topology"
	"github.com/limpet-storage/limpet/topology/site"
	"github.com/limpet-storage/limpet/topology/site/draft"
)

// A tally counts what became of the samples of one kind.
type tally struct{ parsed, refused, drafted, clean int }

// TestSamples reads every sample of a real site: each is parsed, or refused
// with a reason; each that names storage of a server makes a topology file that
// limpet reads, and that agrees with what it was made from.
func TestSamples(t *testing.T) {
	samples := checkout.Shared(t, "data/site")
	files, err := paths.List([]string{samples})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]*tally{}
	for _, file := range files {
		kind, _, _ := strings.Cut(strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(samples)+"/"), "/")
		if kinds[kind] == nil {
			kinds[kind] = &tally{}
		}
		kinds[kind].sample(t, file)
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		t.Logf("%-10s %+v", kind, *kinds[kind])
	}
}

// sample reads one file, with all that an archive holds.
func (k *tally) sample(t *testing.T, file string) {
	inv, sources, err := site.ReadFiles(t.Context(), []string{file}, site.Options{})
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	for _, s := range sources {
		switch {
		case s.Refused != "":
			k.refused++
		case s.Devices+s.Volumes == 0:
			t.Errorf("%s: neither parsed nor refused", s.File)
		default:
			k.parsed++
		}
	}
	site := site.Join(inv)
	text, err := draft.Topology(site, draft.Options{Name: "sample", Source: "a sample"})
	if err != nil {
		return
	}
	k.drafted++
	system, _, err := topology.Parse("draft.yaml", text)
	if err != nil {
		t.Errorf("%s: the draft is refused: %v\n%.2000s", file, err, text)
		return
	}
	seen := site.Seen(system)
	if differ := append(system.Unmatched(seen), system.NamedApart(seen)...); len(differ) > 0 {
		t.Errorf("%s: the draft differs from its source: %v\n%.1000s", file, differ, text)
		return
	}
	k.clean++
}
