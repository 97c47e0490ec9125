"""Request the first URL, then each of the others in a thread of its own, for tests/woken/run."""

import sys
from concurrent.futures import ThreadPoolExecutor

import httpx

from librobots import Cache, Crawler
from librobots.httpx import RobotsTransport

transport = RobotsTransport(Cache(Crawler("ExampleBot")))
with httpx.Client(transport=transport, headers={"User-Agent": "ExampleBot/1.0"}) as client:
    client.get(sys.argv[1])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(client.get, sys.argv[2:]))
