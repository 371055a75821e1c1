package api

import (
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/document"
)

// Deed is an entry of the audit trail: a change that a user made.
type Deed struct {
	Number  int64         `json:"number"` // number of the entry, which the audit trail sets
	Time    document.Time `json:"time"`
	User    string        `json:"user"`
	Address string        `json:"address"` // address from which the request came
	Action  string        `json:"action"`  // resolve, accept, mute, unmute, comment, was, reload, backup, action approve, actions stop, …
	Object  string        `json:"object,omitempty"`
	Text    string        `json:"text,omitempty"`
	Outcome string        `json:"outcome"` // [Done], "failed", or "refused: " and the reason; [Asked] if no outcome is known
}

// The outcomes of changes. An entry is written before the change, with the outcome Asked, and another
// after the change. The trail shows both as one. The outcome is still Asked while the change is made,
// and if limpet was stopped before it wrote the outcome; earlier versions wrote no other outcome of a
// change that was made.
const (
	Asked = ledger.Asked
	Done  = "done"
)

// Reloaded is the result of a reload.
type Reloaded struct {
	Changed []string `json:"changed"` // one sentence for each change
	Restart []string `json:"restart"` // one sentence for each change that needs a restart
}
