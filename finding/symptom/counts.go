package symptom

import "github.com/limpet-storage/limpet/table"

// counts are the moments of the segments that were sent and of those among them
// that were lost, over the steps in which both are known.
type counts struct{ lost, sent, lostLost, lostSent, sentSent float64 }

func (n *counts) add(lost, delivered float64) {
	if sent := lost + delivered; !table.IsMissing(sent) {
		n.lost += lost
		n.sent += sent
		n.lostLost += lost * lost
		n.lostSent += lost * sent
		n.sentSent += sent * sent
	}
}

func (n *counts) merge(o *counts) {
	n.lost += o.lost
	n.sent += o.sent
	n.lostLost += o.lostLost
	n.lostSent += o.lostSent
	n.sentSent += o.sentSent
}

// dispersion is the variance of the losses of a step against the one that they
// have where each segment is lost by chance and by itself; that is 1.
func (n *counts) dispersion(stepSeconds float64) float64 {
	share := n.lost / n.sent
	if !(share > 0 && share < 1) {
		return 0
	}
	variance := n.lostLost - 2*share*n.lostSent + share*share*n.sentSent
	return stepSeconds * variance / (share * (1 - share) * n.sent)
}

// inBursts says whether losses vary more than by chance, and enough to matter.
// Of ten thousand losses a second chance lets hardly any be more or fewer, and a
// share that goes up and down by a tenth is no burst.
func (o *Options) inBursts(n *counts, steps int32, stepSeconds float64) bool {
	by := n.dispersion(stepSeconds)
	perStep := stepSeconds * n.lost / float64(max(1, steps))
	return by > o.BurstRatio && by-1 > o.UnsteadyRatio*o.UnsteadyRatio*perStep
}
