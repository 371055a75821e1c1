module github.com/limpet-storage/limpet/engine/distance/internal/sad/asm

go 1.26.0

require github.com/mmcloughlin/avo v0.6.0

require (
	golang.org/x/mod v0.39.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
	// avo's own choice, v0.16.1, does not build with Go 1.25 and later.
	golang.org/x/tools v0.49.0 // indirect
)
