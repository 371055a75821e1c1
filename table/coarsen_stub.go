package table

import (
	"github.com/limpet-storage/limpet/place"
	"github.com/limpet-storage/limpet/state"
)

type Coarsen struct{ s Schema }

func NewCoarsen(s Schema, step int64) *Coarsen { return &Coarsen{s} }
func (c *Coarsen) Schema() Schema             { return c.s }
func (c *Coarsen) Push(*Row, func(*Row))      {}
func (c *Coarsen) Flush(func(*Row))           {}
func (c *Coarsen) State(*state.Codec, *place.Axes) {}
