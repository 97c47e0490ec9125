# The adapter for webrobots, a parser in Ruby.

require 'base64'
require 'json'
require 'uri'
require 'webrobots'

def answer(it)
  return 'unsupported' if it['dialect'] != 'rfc9309' || it['options'] || it['agents'].to_a.length != 1 || !it['robots']

  # Its URLs are those that Ruby's URI takes, which are encoded.
  url = it['url_encoded'] || 'https://example.com/'
  rules = WebRobots.new(it['agents'][0], http_get: ->(_) { it['robots'] }, crawl_delay: :ignore)
  case it['kind']
  when 'check' then rules.allowed?(url) ? 'allow' : 'deny'
  when 'crawl-delay'
    delay = rules.crawl_delay(url)
    "value #{delay ? format('%g', delay) : 'none'}"
  when 'sitemaps'
    escape = ->(text) { text.b.gsub(/[^!-$&-~]/n) { |byte| format('%%%02X', byte.ord) } }
    (['value'] + rules.sitemaps(url).map { |sitemap| escape.call(sitemap.to_s) }).join(' ')
  else 'unsupported'
  end
end

$stdout.sync = true
puts "engine webrobots #{Webrobots::VERSION}"
$stdin.each_line do |line|
  said = begin
    answer(JSON.parse(line))
  rescue StandardError => e
    "error #{e.message.gsub(/\s+/, ' ')}"
  end
  puts said
end
