// This file serves commands to the process that serves an array: JSON over HTTP on a Unix socket.
// Only the owner of the socket may use it.
//
//	GET  /status                                    state of the array and of its job
//	POST /scrub    {"repair":true}
//	POST /rebuild  {"place":2,"path":"/dev/sdk"}    replaces a lost member
//	POST /cancel                                    ends the job that runs
//	POST /mask     {"member":"2","how":"sit-out","incident":"ec082432","why":"…","by":"…"}
//	POST /unmask   {"member":"2","incident":"ec082432"}

package upkeep

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/limpet-storage/limpet/raid"
	"github.com/limpet-storage/limpet/raid/member"
)

// A Status is the status of an array that is served.
type Status struct {
	Array    string     `json:"array"`
	Event    uint64     `json:"event"`
	Members  []Member   `json:"members"`
	Stripes  int64      `json:"stripes"`
	Stopped  string     `json:"stopped,omitempty"`
	Warnings []string   `json:"warnings,omitempty"`
	Spares   []string   `json:"spares,omitempty"`
	ScrubEnd *time.Time `json:"scrub_end,omitempty"` // nil: never
	Job      Job        `json:"job"`
}

// A Member is the status of one member of the array.
type Member struct {
	Role  string `json:"role"`
	State string `json:"state"`
	Name  string `json:"name"`
	Mask  *Mask  `json:"mask,omitempty"` // nil: none
}

// A Handler serves the commands for one array.
type Handler struct {
	Array  *raid.Array
	Keeper *Keeper
}

type scrubOrder struct {
	Repair bool `json:"repair"`
}

type rebuildOrder struct {
	Place int    `json:"place"`
	Path  string `json:"path"`
	Force bool   `json:"force"`
}

// longestOrder is the largest size of a command in bytes, far above the length of any path.
const longestOrder = 64 << 10

// ServeHTTP runs one command and answers with the status of the array.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, longestOrder)
	var err error
	switch r.Method + " " + r.URL.Path {
	case "GET /status":
	case "POST /scrub":
		var o scrubOrder
		if err = json.NewDecoder(r.Body).Decode(&o); err == nil {
			err = h.Keeper.Scrub(o.Repair)
		}
	case "POST /rebuild":
		var o rebuildOrder
		if err = json.NewDecoder(r.Body).Decode(&o); err == nil {
			err = h.replace(o)
		}
	case "POST /mask":
		var o MaskOrder
		if err = json.NewDecoder(r.Body).Decode(&o); err == nil {
			err = h.mask(o)
		}
	case "POST /unmask":
		var o unmaskOrder
		if err = json.NewDecoder(r.Body).Decode(&o); err == nil {
			err = h.unmask(o)
		}
	case "POST /cancel":
		h.Keeper.Cancel()
	default:
		http.NotFound(w, r)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(h.status()); err != nil {
		return // the client is gone
	}
}

func (h *Handler) replace(o rebuildOrder) error {
	m, err := member.OpenFile(o.Path)
	if err != nil {
		return err
	}
	if err := h.Keeper.Replace(o.Place, m, o.Force); err != nil {
		return errors.Join(err, m.Close())
	}
	return nil
}

func (h *Handler) status() Status {
	// Read the job before the members: if the job is a finished rebuild, its members are active
	// already.
	job := h.Keeper.Job()
	out := StatusOf(h.Array.Status())
	out.Spares, out.Job = h.Keeper.Spares(), job
	for _, m := range h.Array.Masks() {
		out.Members[m.Member].Mask = MaskOf(m)
	}
	return out
}

// StatusOf returns the status of an array as the control socket shows it, without jobs and spares.
func StatusOf(s raid.Status) Status {
	out := Status{Array: s.Array.String(), Event: s.Event, Stripes: s.Geometry.Stripes, Warnings: s.Warnings}
	if s.Stopped != nil {
		out.Stopped = s.Stopped.Error()
	}
	if !s.ScrubEnd.IsZero() {
		out.ScrubEnd = &s.ScrubEnd
	}
	for _, m := range s.Members {
		member := Member{Role: m.Role, State: string(m.State), Name: m.Name}
		if m.Mask != nil {
			member.Mask = MaskOf(raid.MaskStatus{Mask: *m.Mask})
		}
		out.Members = append(out.Members, member)
	}
	return out
}
