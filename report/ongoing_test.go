package report

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/limpet-storage/limpet/report/document"
)

// TestOngoing: what a diagnosis that goes on says at the end is, byte for byte,
// the document of one that ends there.
func TestOngoing(t *testing.T) {
	w := newWorld(t, site, false)
	m, evidence := NewOngoing(w.s), NewEvidence(w.s)
	for _, step := range w.steps {
		step(m, evidence)
	}
	var got bytes.Buffer
	if err := WriteJSON(&got, w.s, m.At(w.summary())); err != nil {
		t.Fatal(err)
	}
	if want := w.run()["json"]; got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// TestDocumentsAreRead: an incident that was read from a document is written as
// it was, with what it lacks.
func TestDocumentsAreRead(t *testing.T) {
	var doc struct{ Incidents, Suspects []json.RawMessage }
	if err := json.Unmarshal([]byte(newWorld(t, site, false).run()["json"]), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Incidents) == 0 || len(doc.Suspects) == 0 {
		t.Fatal("nothing to read")
	}
	for _, want := range append(doc.Incidents, doc.Suspects...) {
		var in document.Incident
		if err := json.Unmarshal(want, &in); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(in); err != nil || !bytes.Equal(got, want) {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
}
