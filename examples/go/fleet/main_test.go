package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// startRedis starts a Redis server of the test's own.
func startRedis(t *testing.T) *redis.Client {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "socket")
	server := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", filepath.Dir(socket))
	if err := server.Start(); err != nil {
		t.Fatal("install redis-server: ", err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	t.Cleanup(func() { client.Close() })
	for range 200 {
		if client.Ping(t.Context()).Err() == nil {
			return client
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("redis-server does not answer")
	return nil
}

// Each run is a new process as far as the cache is concerned.
func runOnce(t *testing.T, client *redis.Client, url string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), client, []string{url}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestFleet(t *testing.T) {
	var requests atomic.Int32
	var failing atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if failing.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, "user-agent: *\ndisallow: /private\n")
	}))
	defer site.Close()
	client := startRedis(t)

	// Both start with an empty store: the second loads what the first has stored.
	first, err := newCache(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	second, err := newCache(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := first.Fetch(t.Context(), nil, site.URL+"/private"); v.Line() != 2 || err != nil {
		t.Fatal(v, err)
	}
	if v, err := second.Fetch(t.Context(), nil, site.URL+"/private"); v.Line() != 2 || err != nil || requests.Load() != 1 {
		t.Error(v, err, requests.Load())
	}
	// A process that starts later imports the records.
	if third, err := newCache(t.Context(), client); err != nil || third.Len() != 1 {
		t.Error(third, err)
	}
	if out := runOnce(t, client, site.URL+"/private"); out != site.URL+"/private: disallowed by line 2\n" || requests.Load() != 1 {
		t.Error(out, requests.Load())
	}
	expiry, err := client.TTL(t.Context(), prefix+site.URL).Result()
	if err != nil || expiry < 23*time.Hour || expiry > 31*24*time.Hour {
		t.Error(expiry, err)
	}

	// An outage is shared too: one attempt for the fleet.
	if err := client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	failing.Store(true)
	for range 3 {
		if out := runOnce(t, client, site.URL+"/open"); !strings.Contains(out, "unreachable (server error); try again at ") || requests.Load() != 2 {
			t.Error(out, requests.Load())
		}
	}
}

// Without Redis, each process fetches for itself.
func TestRedisFails(t *testing.T) {
	site := httptest.NewServer(http.NotFoundHandler())
	defer site.Close()
	client := startRedis(t)
	cache, err := newCache(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	client.Close()
	if v, err := cache.Fetch(t.Context(), nil, site.URL+"/open"); !v.Allowed() || err != nil {
		t.Error(v, err)
	}
	if _, err := newCache(t.Context(), client); err == nil {
		t.Error("no error")
	}
}
