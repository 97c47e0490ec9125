//go:build librobots_wasm || !cgo || !(librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the module about fetches, outcomes, caches and tickets, as native_fetch.go and native_cache.go have them.

import "encoding/binary"

type (
	fetchHandle   = object
	outcomeHandle = object
	cacheHandle   = *recipe
	ticketHandle  = object
)

// createdAtHome makes an object that stays in the module.
func createdAtHome(name string, arguments ...any) (object, error) {
	in, err := theEngine.home.enter()
	if err != nil {
		return object{}, err
	}
	return in.created(name, arguments...)
}

func fetchNew(crawler crawlerHandle, url string, now uint64) (fetchHandle, error) {
	return createdAtHome("robots_fetch_new", crawler, url, now)
}

func fetchAddCrawler(fetch fetchHandle, crawler crawlerHandle) error {
	return fetch.status("robots_fetch_add_crawler", crawler)
}

func fetchSetPrevious(fetch fetchHandle, outcome outcomeHandle) error {
	return fetch.status("robots_fetch_set_previous", outcome)
}

func fetchStep(fetch fetchHandle) Step {
	return Step(fetch.number(uint64(StepDone), "robots_fetch_step"))
}

func fetchURL(fetch fetchHandle) string {
	url, _ := fetch.text("robots_fetch_url")
	return url
}

func fetchRequestHeader(fetch fetchHandle, index uint, out *headerParts) error {
	return fetch.parts(out, "robots_fetch_request_header", index)
}

func fetchStatus(fetch fetchHandle, status uint32, now uint64) error {
	return fetch.status("robots_fetch_report_status", status, now)
}

func fetchFTPReply(fetch fetchHandle, reply uint32, now uint64) error {
	return fetch.status("robots_fetch_report_ftp_reply", reply, now)
}

func fetchHeader(fetch fetchHandle, name, value string) error {
	return fetch.status("robots_fetch_report_header", name, value)
}

func fetchHeadersEnd(fetch fetchHandle) error { return fetch.status("robots_fetch_report_headers_end") }

func fetchBody(fetch fetchHandle, piece []byte) error {
	return fetch.status("robots_fetch_report_body", piece)
}

func fetchEnd(fetch fetchHandle, failure Failure, now uint64) error {
	return fetch.status("robots_fetch_report_end", uint32(failure), now)
}

func fetchOutcome(fetch fetchHandle) (outcomeHandle, error) {
	return fetch.create("robots_fetch_outcome")
}

func fetchFree(fetch fetchHandle) { fetch.release("robots_fetch_free") }

func outcomeFromStatus(crawler crawlerHandle, url string, status uint32, body []byte, now uint64) (outcomeHandle, error) {
	return createdAtHome("robots_outcome_from_status", crawler, url, status, body, now)
}

func outcomeDecode(crawlers []crawlerHandle, record []byte) (outcomeHandle, error) {
	return createdAtHome("robots_outcome_decode", crawlers, record)
}

func outcomeEncode(outcome outcomeHandle) ([]byte, error) {
	in, err := outcome.enter()
	if err != nil {
		return nil, err
	}
	out := in.room(8)
	var record []byte
	if in.status("robots_outcome_encode", outcome, out) {
		record = in.copied(out)
	}
	return record, in.leave()
}

func outcomeGet(outcome outcomeHandle, out *outcomeParts) error {
	return outcome.parts(out, "robots_outcome_get")
}

// outcomeSize returns the size of the rules for all crawlers in bytes.
func outcomeSize(outcome outcomeHandle) (size int) {
	in, err := outcome.enter()
	if err != nil {
		return 0
	}
	out := in.room(8)
	for i := uint32(0); ; i++ {
		rules := uint32(in.run("robots_outcome_rules", outcome, i))
		if rules == 0 {
			_ = in.leave()
			return size
		}
		in.run("robots_rules_image", out, rules)
		size += len(in.borrowed(out))
	}
}

// outcomeImage returns the image of the rules for a crawler; it is empty if there are none.
func outcomeImage(outcome outcomeHandle, crawler uint) []byte {
	in, err := outcome.enter()
	if err != nil {
		return nil
	}
	image := in.returned("robots_rules_image", uint32(in.run("robots_outcome_rules", outcome, crawler)))
	if in.leave() != nil {
		return nil
	}
	return image
}

func outcomeCheck(outcome outcomeHandle, crawler uint, url string, now uint64) Verdict {
	return Verdict(outcome.number(uint64(failedVerdict(ErrPanic)), "robots_outcome_check", crawler, url, now))
}

func outcomeFree(outcome outcomeHandle) { outcome.release("robots_outcome_free") }

// cacheNew lowers a limit that the memory of the module cannot have: it ends at 4 GiB.
func cacheNew(crawler crawlerHandle, maxBytes uint) (cacheHandle, error) {
	cache := &recipe{engine: theEngine, free: "robots_cache_free", keepsState: true}
	if err := cacheCall(cache, "robots_cache_new", crawler, min(maxBytes, 2<<30)); err != nil {
		return nil, err
	}
	return cache, nil
}

func cacheCall(cache cacheHandle, name string, arguments ...any) error {
	in, err := theEngine.home.enter()
	if err != nil {
		return err
	}
	return cache.add(in, name, arguments...)
}

func cacheAddCrawler(cache cacheHandle, crawler crawlerHandle) error {
	return cacheCall(cache, "robots_cache_add_crawler", crawler)
}

func cacheSet(cache cacheHandle, option uint32, value uint64) error {
	return cacheCall(cache, "robots_cache_set", option, value)
}

// cacheCheck defers a URL after a failure of the module, as the library does after an error that may pass.
func cacheCheck(cache cacheHandle, crawler uint, url string, now uint64) cacheAnswer {
	in, err := theEngine.home.enter()
	if err == nil {
		const size = 56 // of robots_cache_answer: size, verdict at 8, action at 16, until at 24, ticket at 32, the slot from 40 on
		handle, out := in.make(cache), in.room(size)
		if in.failed == nil {
			in.memory.WriteUint32Le(out, size)
			verdict := in.call(in.checkCache, uint64(handle), uint64(min(crawler, 1<<31)), in.text(url), uint64(len(url)), now, uint64(out))
			action, _ := in.memory.ReadUint32Le(out + 16)
			until, _ := in.memory.ReadUint64Le(out + 24)
			ticket, _ := in.memory.ReadUint32Le(out + 32)
			if in.failed == nil {
				answer := cacheAnswer{Verdict(verdict), Action(action), until, in.object(ticket)}
				if err = in.leave(); err == nil {
					return answer
				}
				return failedAnswer(err, now)
			}
		}
		err = in.leave()
	}
	return failedAnswer(err, now)
}

func failedAnswer(err error, now uint64) cacheAnswer {
	const minute = 60_000
	return cacheAnswer{verdict: failedVerdict(err), action: ActionDefer, until: now + minute}
}

// withCache calls work with the cache.
func withCache(cache cacheHandle, work func(in *instance)) error {
	in, err := theEngine.home.enter()
	if err != nil {
		return err
	}
	work(in)
	return in.leave()
}

// cacheOutcome returns no handle for an unknown site.
func cacheOutcome(cache cacheHandle, url string) (outcomeHandle, error) {
	return createdAtHome("robots_cache_outcome", cache, url)
}

func cacheRemove(cache cacheHandle, url string) error {
	return withCache(cache, func(in *instance) { in.status("robots_cache_remove", cache, url) })
}

func cacheCount(cache cacheHandle, out *cacheCounts) error {
	return withCache(cache, func(in *instance) { in.parts(out, "robots_cache_count", cache) })
}

// cacheEach calls receive with a copy of each record, until it returns false.
func cacheEach(cache cacheHandle, receive func(record []byte) bool) error {
	var records []byte
	err := withCache(cache, func(in *instance) {
		out := in.room(8)
		if in.status("robots_wasm_cache_records", cache, out) {
			records = in.copied(out)
			start, _ := in.memory.ReadUint32Le(out)
			in.run("robots_wasm_free", start, uint32(len(records)))
		}
	})
	for err == nil && len(records) > 0 {
		length := binary.LittleEndian.Uint32(records)
		if !receive(append([]byte(nil), records[4:][:length]...)) {
			break
		}
		records = records[4+length:]
	}
	return err
}

func cacheImport(cache cacheHandle, record []byte) error {
	return withCache(cache, func(in *instance) { in.status("robots_cache_import", cache, record) })
}

func cacheFree(cache cacheHandle) { cache.release() }

func ticketOrigin(ticket ticketHandle) string {
	origin, _ := ticket.text("robots_ticket_origin")
	return origin
}

func ticketFetch(ticket ticketHandle, now uint64) (fetchHandle, error) {
	return ticket.create("robots_ticket_fetch", now)
}

func ticketFinish(ticket ticketHandle, outcome outcomeHandle, now uint64) error {
	return ticket.status("robots_ticket_finish", outcome, now)
}

func ticketFree(ticket ticketHandle) { ticket.release("robots_ticket_free") }
