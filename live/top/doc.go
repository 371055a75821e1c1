// Package top keeps what limpet top shows: the components of a system that is watched at this
// moment, the oddest first.
//
// Rows come in, one for each step of a second or more. Frames go out. A frame compares each
// component with its peers over the last few seconds, by the same ranking as limpet look
// (engine/look). The same rows go into an engine in memory (engine.Session), whose suspects and
// incidents stand in the frame too. So a component that stands apart for a second is marked for a
// second, with the words "seen once", and a component that stays slow becomes a suspect and then an
// incident, with the ID that limpet diagnose gives it.
//
// The package keeps the last values of each component for plots and for frames of the past. Memory
// does not grow with time. The package reads no clock, opens no file and knows no terminal: package
// live/top/screen draws frames, and Text and JSON print one.
//
// A Replay (replay.go) reads a source again to show earlier times with the verdicts of those times.
//
// Read model.go first, then frame.go (the lines) and verdicts.go (the engine).
package top
