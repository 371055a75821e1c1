package api

import "github.com/limpet-storage/limpet/report/document"

// Deed is an entry of the audit trail: who changed something.
type Deed struct {
	Number  int64         `json:"number"` // given by the trail
	Time    document.Time `json:"time"`
	User    string        `json:"user"`
	Address string        `json:"address"` // that the request came from
	Action  string        `json:"action"`  // resolve, accept, mute, unmute, comment, was, reload, backup
	Object  string        `json:"object,omitempty"`
	Text    string        `json:"text,omitempty"`
	Outcome string        `json:"outcome"` // asked, or why it failed
}

// Asked is the outcome of a deed that is noted before it is done. A second entry
// follows if it fails.
const Asked = "asked"

// Reloaded is what became of a reload.
type Reloaded struct {
	Changed []string `json:"changed"` // sentences
	Restart []string `json:"restart"` // what changes only by a restart
}
