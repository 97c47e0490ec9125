/** What the page shows until it gets a file: the robots.txt of a shop that does not exist, with some mistakes. */
export const EXAMPLE = `# robots.txt of tea.example, a shop

User-agent: *
Disallow: /cart
Disallow: /account/
Disallow: /*?*sort=
Disalow: /internal/
Allow: /account/help

# Google's images may use our photographs, but not the press kit.
User-agent: Googlebot-Image
Disallow: /press/

# No training on our texts.
User-agent: GPTBot
User-agent: ClaudeBot
User-agent: Google-Extended
Disallow: /

Sitemap: https://tea.example/sitemap.xml
`;

export const EXAMPLE_URLS = [
    "https://tea.example/",
    "https://tea.example/green/sencha",
    "https://tea.example/green?sort=price",
    "https://tea.example/cart",
    "https://tea.example/cartography-of-tea",
    "https://tea.example/account/orders",
    "https://tea.example/account/help",
    "https://tea.example/internal/stock",
    "https://tea.example/press/photo.jpg",
];
