// Package engine diagnoses a storage system: rows of measurements go in, in order of
// time, and incidents come out. An incident is one problem at one place, with its onset,
// its evidence and the components that it shows on.
//
//	rows, commands ─▶ Engine ─▶ detectors ─▶ findings ─▶ tracker ─▶ incidents
//
// # Use
//
// A [topology.System] describes the components and their peer groups. A [table.Schema]
// describes the rows. [New] makes an engine for both, and Push takes the rows one by one:
//
//	options := engine.DefaultOptions()
//	e, err := engine.New(options, system, schema, nil, listener)
//	if err != nil {
//		return err
//	}
//	for row := range rows {
//		e.Push(row) // calls listener.Event for each change of an incident
//	}
//	e.Finish()
//	for _, in := range e.Summary(incident.Combined).Incidents {
//		fmt.Println(in.Kind, in.Place.Name, in.Onset.At)
//	}
//
// [Session] adds mutes that end by themselves and keeps the last windows; a service that
// never stops uses it instead of a bare engine.
//
// # Questions
//
// A diagnosis answers one or more questions. [Components] finds slow drives, LUNs and
// paths among their peers. [Servers] finds the server whose disk or network is at fault.
// [Checklist] answers the same as Servers by the method of F10. Each question has its own
// detectors and its own step. [Preset] returns the options of a method by name.
//
// # Where decisions are made
//
//   - Slowness is decided in engine/detect/slow, with a sequential test (package evidence).
//     Chance causes at most slow.Options.FalseSuspectsPerDay suspects per day among a
//     thousand components, and FalseIncidentsPerYear incidents per year in the system.
//   - A suspect becomes an incident in Tracker.isIncident (incident/tracker.go).
//   - An incident recovers and ends in Tracker.age (incident/life.go).
//   - The hourly list of persistent components (L13 §5.1) is made in lists.go.
//
// # Properties
//
// The engine is pure: it reads no clock, opens no file and writes no log. The same rows
// and commands in the same order give the same events. A day of files is therefore a fast
// replay of a live system. Memory does not grow with the length of the data. Between any
// two rows Save returns the whole state as bytes, and [Restore] continues from them in
// another process as if nothing had happened.
//
// Read engine.go first, then components.go and incident/tracker.go.
package engine
