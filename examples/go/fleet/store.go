package main

import (
	"context"
	"errors"
	"log"
	"time"

	robots "github.com/librobots/librobots/bindings/go"
	"github.com/redis/go-redis/v9"
)

// prefix is the prefix of all keys. Crawlers of another token or other options need another prefix.
const prefix = "robots:" + token + ":"

// A store keeps the records of outcomes in Redis, by origin.
type store struct{ client *redis.Client }

// load is Cache.Load.
func (s *store) load(ctx context.Context, origin string) ([]byte, error) {
	record, err := s.client.Get(ctx, prefix+origin).Bytes()
	if errors.Is(err, redis.Nil) {
		return nil, nil
	}
	return record, err
}

// save is Cache.OnOutcome. Redis deletes a record when its outcome is neither usable nor delays the next fetch.
func (s *store) save(outcome *robots.Outcome) {
	expiry := time.Until(outcome.UsableUntil)
	if retry := time.Until(outcome.RetryAt); retry > expiry {
		expiry = retry
	}
	record, err := outcome.MarshalBinary()
	if err == nil && expiry >= time.Second {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		err = s.client.Set(ctx, prefix+outcome.Origin, record, expiry).Err()
	}
	if err != nil {
		log.Printf("fleet: %s is not stored: %v", outcome.Origin, err)
	}
}

// warm imports all stored records into a new cache. A record that is unusable or does not fit is left out.
func (s *store) warm(ctx context.Context, cache *robots.Cache) error {
	keys := s.client.Scan(ctx, 0, prefix+"*", 1000).Iterator()
	for keys.Next(ctx) {
		record, err := s.client.Get(ctx, keys.Val()).Bytes()
		if errors.Is(err, redis.Nil) {
			continue // it has expired
		}
		if err != nil {
			return err
		}
		if err := cache.Import(record); err != nil {
			log.Printf("fleet: %s: %v", keys.Val(), err)
		}
	}
	return keys.Err()
}
