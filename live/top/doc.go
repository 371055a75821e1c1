// Package top holds the data that the command "limpet top" shows: the components of a system at the
// present time, the most anomalous component first.
//
// The input is rows, one for each step of a second or more. The output is frames. A frame compares
// each component with its peers over the last few seconds, with the same method as the command
// "limpet look" (engine/look). An engine in memory (engine.Session) judges the same rows. Its
// suspects and incidents are in the frame too. If a component differs clearly from its peers in only
// one frame, it has the mark "seen once". A component that stays slow becomes a suspect and then an
// incident. The command "limpet diagnose" gives the same ID to this incident.
//
// The package keeps the last values of each component for plots and for frames of the past. Memory
// does not grow with time. The package reads no clock, opens no file and uses no terminal. Package
// live/top/screen draws frames on a terminal. The functions Text and JSON print one frame.
//
// A Replay (replay.go) reads a source again, to show an earlier time with the suspects and incidents of
// that time.
//
// Read model.go first, then frame.go (the lines) and verdicts.go (the engine).
package top
