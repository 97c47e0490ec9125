// Adapters for robots.txt parsers that npm has: javascript_peers.js NAME.
'use strict';

const readline = require('readline');

const NAME = process.argv[2];
const packageOf = { 'robots-parser': 'robots-parser', 'robots-txt-guard': 'robots-txt-guard', 'node-robots': 'robots' };
const version = (name) => require(name + '/package.json').version;

const engines = {
  'robots-parser': (it) => {
    const rules = require('robots-parser')('https://example.com/robots.txt', it.robots);
    if (it.kind === 'crawl-delay') return 'value ' + (rules.getCrawlDelay(it.agent) ?? 'none');
    if (it.kind === 'sitemaps') return ['value', ...rules.getSitemaps().map(escaped)].join(' ');
    // It answers for its own host alone.
    const url = new RegExp('^https?://', 'i').test(it.url) ? it.url.replace(/^https?:\/\/[^/?#]*/i, 'https://example.com') : it.url;
    const allowed = rules.isAllowed(url, it.agent);
    if (allowed === undefined) return 'error';
    return allowed ? 'allow' : 'deny';
  },
  'node-robots': (it) => {
    const { RobotsParser } = require('robots');
    const parser = new RobotsParser();
    parser.parse(it.robots.split(/\r\n|\r|\n/));
    if (it.kind !== 'check') return 'unsupported';
    return parser.canFetchSync(it.agent, pathOf(it.url)) ? 'allow' : 'deny';
  },
  'robots-txt-guard': async (it) => {
    if (it.kind !== 'check') return 'unsupported';
    const parse = require('robots-txt-parse');
    const { PassThrough } = require('stream');
    const source = new PassThrough();
    source.end(it.robots);
    const guard = require('robots-txt-guard')(await parse(source));
    return guard.isAllowed(it.agent, pathOf(it.url)) ? 'allow' : 'deny';
  },
};

// The path and query of a URL, for an engine that takes these.
function pathOf(url) {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*/, '');
  return path.startsWith('/') ? path : '/' + path;
}

function escaped(text) {
  return Buffer.from(text).reduce((out, byte) => out + (byte > 32 && byte < 127 && byte !== 37
    ? String.fromCharCode(byte) : '%' + byte.toString(16).toUpperCase().padStart(2, '0')), '');
}

async function answer(line) {
  const it = JSON.parse(line);
  const isText = it.kind === 'check' ? it.robots !== null && it.url !== null : it.robots !== null;
  if (it.dialect !== 'rfc9309' || !['check', 'crawl-delay', 'sitemaps'].includes(it.kind) || it.options || it.agents.length > 1 || !isText) {
    return 'unsupported';
  }
  it.agent = it.agents[0];
  if (it.url && it.url.startsWith('/')) it.url = 'https://example.com' + it.url;
  try {
    return await engines[NAME](it);
  } catch (error) {
    return 'error ' + String(error).replace(/\s+/g, ' ');
  }
}

console.log(`engine ${NAME} ${version(packageOf[NAME])}`);
(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) console.log(await answer(line));
})();
