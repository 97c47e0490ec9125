package robots

import "fmt"

// A Difference is the difference of two sets of rules (SPEC 12). It holds plain values.
type Difference struct {
	Result DifferenceResult
	// Paths are paths on which the rules disagree. The first is a shortest one. A rule decides each further path that decides
	// none before.
	Paths []DifferentPath
}

// A DifferentPath is a path on which two sets of rules disagree.
type DifferentPath struct {
	Path     string     // path and query, in ASCII
	Verdicts [2]Verdict // the verdict of each set; one allows the path
}

// A DifferenceResult is the result of a search for a difference.
type DifferenceResult uint32

// String returns the result in words.
func (d DifferenceResult) String() string {
	return wordOf(differences[:], uint64(d), "result")
}

var differences = [...]string{
	DifferenceNotDecided: "not decided",
	DifferenceNone:       "none",
	DifferenceFound:      "found",
}

// Difference returns a shortest path that the rules allow and the other rules do not, or the reverse, or that there is none,
// which is proved (SPEC 12). The two may differ in file, crawler and dialect. The search takes at most about a second and 64 MB,
// for half of all real files 0.1 ms, and for 99 % at most 20 ms. The error is [ErrImage] for rules that were never parsed, and
// [ErrMemory].
func (r *Rules) Difference(other *Rules) (*Difference, error) {
	d, err := differenceNew(r, other)
	if err != nil {
		return nil, fmt.Errorf("robots: compare rules: %w", err)
	}
	defer differenceFree(d)
	out := &Difference{Result: differenceResult(d)}
	err = each(d, differencePath, func(path *pathParts) {
		out.Paths = append(out.Paths, DifferentPath{path.Path, [2]Verdict{path.Verdict, path.OtherVerdict}})
	})
	if err != nil {
		return nil, fmt.Errorf("robots: compare rules: %w", err)
	}
	return out, nil
}
