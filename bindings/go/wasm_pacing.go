//go:build librobots_wasm || !cgo || !(librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the module about slots and records, as native_pacing.go has them.

import (
	"math"

	"github.com/tetratelabs/wazero/api"
)

// cacheRequest defers a URL after a failure of the module, as cacheCheck does.
func cacheRequest(cache cacheHandle, crawler uint, url string, held, now uint64) (answer cacheAnswer, reserved slot) {
	in, err := theEngine.home.enter()
	if err == nil {
		// Of robots_cache_answer: size, verdict at 8, action at 16, whether the delay is cut at 20, until at 24, ticket at 32, slot at 40,
		// crawl-delay at 48.
		const size = 56
		out := in.room(size)
		if in.failed == nil {
			in.memory.WriteUint32Le(out, size)
		}
		verdict := in.run("robots_cache_request", cache, crawler, url, held, now, out)
		if in.failed == nil {
			number := func(at uint32) uint32 { n, _ := in.memory.ReadUint32Le(out + at); return n }
			long := func(at uint32) uint64 { n, _ := in.memory.ReadUint64Le(out + at); return n }
			answer = cacheAnswer{Verdict(verdict), Action(number(16)), long(24), in.object(number(32))}
			reserved = slot{long(40), long(48), uint64(number(20))}
		}
		err = in.leave()
	}
	if err != nil {
		return failedAnswer(err, now/1000), slot{}
	}
	return answer, reserved
}

func cacheRetryAfter(cache cacheHandle, url string, status uint32, value string, now uint64) error {
	return withCache(cache, func(in *instance) { in.status("robots_cache_retry_after", cache, url, status, value, now) })
}

func cacheCrawlDelay(cache cacheHandle, url string) (float64, error) {
	in, err := theEngine.home.enter()
	if err != nil {
		return 0, err
	}
	handle, out := in.make(cache), in.room(4)
	if status := uint32(in.call(in.function("robots_cache_outcome"), uint64(handle), in.text(url), uint64(len(url)), uint64(out))); status != 0 {
		in.fail(Error(status))
	}
	outcome, _ := in.memory.ReadUint32Le(out)
	rules := in.call(in.function("robots_outcome_rules"), uint64(outcome), 0)
	seconds := api.DecodeF64(in.call(in.function("robots_rules_crawl_delay"), rules))
	in.call(in.function("robots_outcome_free"), uint64(outcome))
	return seconds, in.leave()
}

func recordCheck(record []byte, crawler uint, url string, now uint64) Verdict {
	in, err := theEngine.worker()
	if err != nil {
		return failedVerdict(err)
	}
	at := in.bytes(record)
	verdict := in.call(in.function("robots_record_check"), at, uint64(len(record)), uint64(min(crawler, math.MaxUint32)), in.text(url),
		uint64(len(url)), now)
	if err := in.leave(); err != nil {
		return failedVerdict(err)
	}
	return Verdict(verdict)
}
