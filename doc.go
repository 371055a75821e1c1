// Package limpet has no code of its own. The command is cmd/limpet; the
// packages beside it are the stages of one stream, and ARCHITECTURE.md says
// who may import whom.
package limpet
