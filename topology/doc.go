// Package topology knows what a storage system is made of, how its parts hang
// together, and which of them ought to behave alike.
//
// Peers are stated, not guessed from behaviour: whoever runs the system knows
// which attachments are primaries and which LUNs came with the last upgrade,
// and a comparison is worth no more than the likeness of what it compares
// (L13 §3.3). A site says it once, in a file that fits on a page; without one,
// [Discover] takes the like devices of a server, or of all servers, and says
// what it left out.
//
// In the stream this package stands at the top beside metric: it reads no
// samples and opens no files. Sources of rows ask [System.Find] whose sample
// they hold, detection walks [System.Groups], ranking prints [System.Label],
// and localisation groups components by the strings of [Component].
package topology
