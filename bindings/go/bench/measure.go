package main

import (
	"fmt"
	"log"
	"runtime"
	"strings"
	"time"
)

// A row is work that several engines do.
type row struct {
	name string
	unit string  // "ns" for the time of one, "MB/s" for octets, "x" for how many times two goroutines are faster than one
	size float64 // how many there are of it in a pass: URLs, files, octets
	ops  float64 // to how many of them B/op and allocs/op refer, where that is not size
	work []work
}

type work struct {
	engine string
	pass   func() int // does all of it once; the answer is the same each time
}

const (
	rounds    = 9
	roundTime = 40 * time.Millisecond
	onceTime  = 400 * time.Millisecond // work that takes longer is done once
)

type figure struct {
	best          time.Duration // of one pass
	answer        int
	octets, count float64 // allocated in one pass
}

// measure runs the engines in turns, so that whatever else the machine does meets all of them; the best round counts.
func (r row) measure() string {
	figures := make([]figure, len(r.work))
	for i, w := range r.work {
		figures[i] = allocations(w)
	}
	for range rounds {
		for i, w := range r.work {
			f := &figures[i]
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
	return r.format(figures)
}

// allocations runs a pass to warm up, then one in which the memory is counted.
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

const layout = "| %-14s | %10s | %10s | %10s | %9s | %-31s | %s"

func header() string {
	line := fmt.Sprintf(layout, "row", "librobots", "temoto", "grobotstxt", "to temoto", "B/op, allocs/op of each", "answers of each")
	return line + "\n|" + strings.Repeat("-", len(line)-1)
}

func (r row) format(figures []figure) string {
	cells := map[string]string{}
	var memory, answers []string
	ops := r.size
	if r.ops > 0 {
		ops = r.ops
	}
	ratio := "-"
	for i, f := range figures {
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
			ratio = fmt.Sprintf("%.1f x", float64(f.best)/float64(figures[0].best))
		}
		memory = append(memory, fmt.Sprintf("%.0f, %.2f", f.octets/ops, f.count/ops))
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
