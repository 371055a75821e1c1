// Package engine diagnoses a storage system. The input is rows of measurements in order of time.
// The output is incidents. An incident is one problem at one place. It has an onset, evidence, and
// a list of the components that have the problem.
//
//	rows, commands ─▶ Engine ─▶ detectors ─▶ findings ─▶ tracker ─▶ incidents
//
// # Use
//
// A [topology.System] describes the components and their peer groups. A [table.Schema]
// describes the rows. [New] makes an engine from the system and the schema. Push takes
// the rows one by one:
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
// [Session] contains an engine. It also ends an operator's mute when the time of the mute is over,
// and keeps the last window of each peer group and metric. A service that never stops uses a
// Session instead of a bare engine.
//
// # Questions
//
// A diagnosis answers one or more questions. [Components] finds slow drives, LUNs and
// paths among their peers. [Servers] finds the server whose disk or network is at fault.
// [Checklist] answers the same question as Servers, by the method of the paper F10. Each
// question has its own detectors and its own step. [Preset] returns the options of a
// method by name. The papers L13 and F10 are named at the top of docs/method.md.
//
// # Where decisions are made
//
//   - Slowness is decided in engine/detect/slow, with a sequential test (package evidence).
//     In each such detector, chance causes at most criteria.Options.FalseSuspectsPerDay suspects
//     per day among a thousand components (one a month in a small system), and
//     FalseIncidentsPerYear incidents of single components per year in the system.
//   - A suspect becomes an incident in Tracker.isIncident (incident/tracker.go).
//   - An incident recovers and ends in Tracker.ageIncidents (incident/life.go).
//   - The hourly list of persistent components (L13 §5.1) is made in lists.go.
//
// # Properties
//
// The engine reads no clock, opens no file and writes no log. The same rows and commands
// in the same order give the same events. Reading the files of a day therefore gives the
// same events as watching the live system on that day. Memory does not grow with the
// length of the data. Save may be called between any two rows, and returns the whole
// state as bytes. [Restore] makes an engine from these bytes, in the same process or in
// another process. The restored engine gives the same events as the saved engine would
// have given.
//
// Read engine.go first, then components.go and incident/tracker.go.
package engine
