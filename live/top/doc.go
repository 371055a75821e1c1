// Package top keeps what limpet top shows: the components of a system that is watched at this
// moment, the oddest first.
//
// Rows come in, one for each step of a second or more. Frames go out. A frame compares each
// component with its peers over the last few seconds, by the same ranking as limpet look
// (engine/look). The same rows go into an engine in memory (engine.Session), whose suspects and
// incidents are in the frame too. A component that differs clearly from its peers for one second has
// the mark "seen once" for this second. A component that stays slow becomes a suspect and then an
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
