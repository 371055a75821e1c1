// Package alert decides who is told what, and when: an incident begins to be told
// when it has lasted for a while, and is told to be over when it has been for a
// while. In between it is one alert, whatever it does.
//
// It goes by the time of rows alone, and keeps its state in the ledger, in the
// transaction that holds the event. So the same rows make the same notifications,
// however often the process was killed. A notification is a row of the outbox with
// a key of its own; package outbox delivers it.
//
// What is muted, harmless, or a part of another incident is not told; what was told
// of it is resolved. It finds nothing and says nothing: sentences come from words.
package alert
