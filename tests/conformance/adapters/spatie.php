<?php

// The adapter for spatie/robots-txt: spatie.php CHECKOUT VERSION.

error_reporting(0); // What an engine warns of is not read.
require $argv[1] . '/src/RobotsTxt.php';

function answer(array $it): string
{
    if ($it['dialect'] !== 'rfc9309' || isset($it['options']) || count($it['agents'] ?? []) !== 1) {
        return 'unsupported';
    }
    $rules = new Spatie\Robots\RobotsTxt(base64_decode($it['robots_base64'] ?? ''));
    $agent = base64_decode($it['agents_base64'][0]);
    switch ($it['kind']) {
        case 'check':
            return $rules->allows(base64_decode($it['url_base64']), $agent) ? 'allow' : 'deny';
        case 'crawl-delay':
            $delay = $rules->crawlDelay($agent);
            return 'value ' . (is_numeric($delay) ? $delay + 0 : rawurlencode($delay ?? 'none'));
        default:
            return 'unsupported';
    }
}

echo 'engine spatie/robots-txt ', $argv[2], "\n";
while (($line = fgets(STDIN)) !== false) {
    try {
        $said = answer(json_decode($line, true));
    } catch (Throwable $error) {
        $said = 'error ' . preg_replace('/\s+/', ' ', $error->getMessage());
    }
    echo $said, "\n";
}
