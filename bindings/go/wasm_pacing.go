//go:build librobots_wasm || !cgo || !(librobots_system || (linux && !android && (amd64 || arm64)) || (darwin && (amd64 || arm64)) || (windows && amd64))

package robots

// The calls into the module about slots and records, as native_pacing.go has them.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"

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
		return failedAnswer(err, now), slot{}
	}
	return answer, reserved
}

func cacheRetryAfter(cache cacheHandle, url string, status uint32, value string, now uint64) error {
	return withCache(cache, func(in *instance) { in.status("robots_cache_report_response", cache, url, status, value, now) })
}

func cacheCrawlDelay(cache cacheHandle, url string) (float64, error) {
	in, err := theEngine.home.enter()
	if err != nil {
		return 0, err
	}
	handle, out := in.make(cache), in.room(4)
	if status := uint32(in.call(in.function("robots_cache_outcome"), uint64(handle), in.text(url), uint64(len(url)), uint64(out))); status != 0 {
		in.fail(errorFrom(uint64(status)))
	}
	outcome, _ := in.memory.ReadUint32Le(out)
	rules := in.call(in.function("robots_outcome_rules"), uint64(outcome), 0)
	seconds := api.DecodeF64(in.call(in.function("robots_rules_crawl_delay"), rules))
	in.call(in.function("robots_outcome_free"), uint64(outcome))
	return seconds, in.leave()
}

// The module has no files, so Go writes and reads what robots_cache_save does. Numbers are little-endian: the magic, a random mark,
// and for each record the mark plus its length, its length, and the record.
const fileMagic = "rbtc\x01\x00\x00\x00"

func cacheSave(cache cacheHandle, path string) (saved LoadedRecords, err error) {
	mark := rand.Uint64()
	data := binary.LittleEndian.AppendUint64([]byte(fileMagic), mark)
	err = cacheEach(cache, func(record []byte) bool {
		data = binary.LittleEndian.AppendUint64(data, mark+uint64(len(record)))
		data = binary.LittleEndian.AppendUint32(data, uint32(len(record)))
		data = append(data, record...)
		saved.Imported++
		return true
	})
	if err != nil {
		return saved, err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.new")
	if err != nil {
		return saved, err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
		return saved, err
	}
	return saved, syncFolder(filepath.Dir(path))
}

// syncFolder makes a new name durable. Windows has no such call.
func syncFolder(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func cacheLoad(cache cacheHandle, path string) (loaded LoadedRecords, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return loaded, err
	}
	head, budget := data[:min(len(data), len(fileMagic))], len(data)
	if !bytes.HasPrefix([]byte(fileMagic), head) {
		return loaded, ErrImageFormat
	}
	if len(data) < 16 {
		loaded.Damaged = 1
		return loaded, nil
	}
	mark, isLost := binary.LittleEndian.Uint64(data[8:]), false
	const frame = 12
	for data = data[16:]; len(data) > 0; {
		size := -1
		if len(data) >= frame && binary.LittleEndian.Uint64(data)-mark == uint64(binary.LittleEndian.Uint32(data[8:])) {
			size = min(int(binary.LittleEndian.Uint32(data[8:])), len(data)-frame)
		}
		if size < 0 { // a damaged place counts once
			if !isLost {
				loaded.Damaged++
			}
			isLost, data = true, data[1:]
			continue
		}
		err := cacheImport(cache, data[frame:][:size])
		isLost = false
		switch {
		case err == nil:
			loaded.Imported++
		case errors.Is(err, ErrMemory):
			loaded.NoRoom++
		case errors.Is(err, ErrImageFormat):
			loaded.Foreign++
		case errors.Is(err, ErrImage):
			loaded.Damaged++
			// Bytes may be missing: the next frame may be in this record. The budget keeps the time linear.
			if budget -= size; budget >= 0 {
				isLost, size = true, 0
			}
		default:
			return loaded, err
		}
		data = data[frame+size:]
	}
	return loaded, nil
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
