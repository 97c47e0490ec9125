"""Calls the tool `fetch` of mcp-server-fetch for each URL of a file: visit-mcp-server-fetch.py own|librobots FILE"""

import asyncio
import os
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

SERVER = ["-m", "mcp_server_fetch", "--allow-private-ips", "--user-agent=ExampleBot/1.0 (+https://example.com/bot)"]


async def main() -> None:
    server = StdioServerParameters(command=sys.executable, args=SERVER, env=dict(os.environ))
    async with Client(server) as client:
        for url in Path(sys.argv[2]).read_text().splitlines():
            result = await client.call_tool("fetch", {"url": url, "raw": True})
            if result.is_error:
                print(url, *(part.text for part in result.content))


asyncio.run(main())
