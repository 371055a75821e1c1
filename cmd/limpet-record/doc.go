// Command limpet-record records what a server does, as limpet record does, and
// nothing else: it links no analysis, so that it is small enough to audit
// before it is let onto file servers (L13 §6).
package main
