package intake

import "time"

// What a SourceStatus tells of.
const (
	Push    = "push"    // a sender
	Pull    = "pull"    // an endpoint
	Machine = "machine" // a server, whoever tells of it
)

// SourceStatus is what is known of one sender, endpoint or server.
type SourceStatus struct {
	Kind   string    `json:"kind"`
	Name   string    `json:"name"`             // who sends, the URL that is pulled, or the server
	Server string    `json:"server,omitempty"` // the machine that an endpoint tells of, if it is known
	Job    string    `json:"job,omitempty"`    // of an endpoint
	Up     bool      `json:"up"`               // it told something in the last while
	Heard  time.Time `json:"heard,omitzero"`   // when it last did, by our clock
	Last   time.Time `json:"last,omitzero"`    // time of its last sample

	Records    uint64 `json:"records"`    // written of a server
	Kept       uint64 `json:"kept"`       // samples that are used
	Dropped    uint64 `json:"dropped"`    // samples of series that are not
	Late       uint64 `json:"late"`       // samples that came when their time was closed
	Duplicate  uint64 `json:"duplicate"`  // samples that came again, or from a second sender
	Refused    uint64 `json:"refused"`    // samples with a name or a time that cannot be
	Incomplete uint64 `json:"incomplete"` // scrapes of which a part never came: gaps
	Failed     uint64 `json:"failed"`     // requests or scrapes that failed

	Trouble string `json:"trouble,omitempty"` // a sentence, empty where there is none
}
