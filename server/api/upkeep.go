package api

import "github.com/limpet-storage/limpet/report/document"

// Deed is an entry of the audit trail: a change that a user made.
type Deed struct {
	Number  int64         `json:"number"` // number of the entry, which the audit trail sets
	Time    document.Time `json:"time"`
	User    string        `json:"user"`
	Address string        `json:"address"` // address from which the request came
	Action  string        `json:"action"`  // resolve, accept, mute, unmute, comment, was, reload, backup, action approve, actions stop, …
	Object  string        `json:"object,omitempty"`
	Text    string        `json:"text,omitempty"`
	Outcome string        `json:"outcome"` // [Asked], or why the change failed
}

// Asked is the outcome of an entry that is written before the change. If the change fails, a second
// entry follows.
const Asked = "asked"

// Reloaded is the result of a reload.
type Reloaded struct {
	Changed []string `json:"changed"` // one sentence for each change
	Restart []string `json:"restart"` // one sentence for each change that needs a restart
}
