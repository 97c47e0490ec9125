package main

import (
	"fmt"
	"log"
	"runtime"
	"strings"
	"time"

	"github.com/librobots/librobots/bindings/go/bench/figures"
)

// A row is work that several engines do.
type row struct {
	name string
	unit string  // "": time per operation; "MB/s": throughput
	size float64 // operations per pass: URLs or bytes
	ops  float64 // the divisor of B/op and allocs/op, if it is not size
	work []work
}

type work struct {
	engine string
	pass   func() int // one pass; it returns the same number each time
}

const (
	rounds    = 9
	roundTime = 40 * time.Millisecond
	onceTime  = 400 * time.Millisecond // a pass that takes longer runs once
)

type figure struct {
	best           time.Duration // of one pass
	answer         int
	bytes, mallocs float64 // allocated in one pass
}

// measure runs the engines in turns, so that other load affects all of them. The best round counts.
func (r row) measure() string {
	all := make([]figure, len(r.work))
	for i, w := range r.work {
		all[i] = allocations(w)
	}
	for range rounds {
		for i, w := range r.work {
			f := &all[i]
			if f.best >= onceTime {
				continue
			}
			passes, start := 0, time.Now()
			for passes == 0 || time.Since(start) < roundTime {
				if w.pass() != f.answer {
					log.Fatalf("bench: %s, %s: another answer than before", r.name, w.engine)
				}
				passes++
			}
			f.best = min(f.best, time.Since(start)/time.Duration(passes))
		}
	}
	return r.format(all)
}

// allocations runs one pass to warm up, and one to count the memory.
func allocations(w work) figure {
	w.pass()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	answer := w.pass()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	return figure{took, answer, float64(after.TotalAlloc - before.TotalAlloc), float64(after.Mallocs - before.Mallocs)}
}

const layout = "| %-23s | %10s | %10s | %10s | %9s | %-31s | %s"

func header() string {
	line := fmt.Sprintf(layout, "row", "librobots", "temoto", "grobotstxt", "to temoto", "B/op, allocs/op of each", "answers of each")
	return line + "\n|" + strings.Repeat("-", len(line)-1)
}

func (r row) format(all []figure) string {
	cells := map[string]string{}
	var memory, answers []string
	ops := r.size
	if r.ops > 0 {
		ops = r.ops
	}
	ratio := "-"
	for i, f := range all {
		each := float64(f.best.Nanoseconds()) / r.size
		switch {
		case r.unit == "MB/s":
			cells[r.work[i].engine] = fmt.Sprintf("%.0f MB/s", 1e3/each)
		case each >= 10_000:
			cells[r.work[i].engine] = fmt.Sprintf("%.1f us", each/1e3)
		default:
			cells[r.work[i].engine] = fmt.Sprintf("%.1f ns", each)
		}
		if r.work[i].engine == "temoto" {
			times := float64(f.best) / float64(all[0].best)
			ratio = fmt.Sprintf("%.1f x", times)
			figures.Write(r.name, "%.4f", times)
		}
		memory = append(memory, fmt.Sprintf("%.0f, %.2f", f.bytes/ops, f.mallocs/ops))
		answers = append(answers, fmt.Sprint(f.answer))
	}
	cell := func(engine string) string {
		if text := cells[engine]; text != "" {
			return text
		}
		return "-"
	}
	return fmt.Sprintf(layout, r.name, cell("librobots"), cell("temoto"), cell("grobotstxt"), ratio,
		strings.Join(memory, " / "), strings.Join(answers, " / "))
}
