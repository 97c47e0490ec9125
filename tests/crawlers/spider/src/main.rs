//! Crawls each site whose home page a file lists: crawl-with-spider FILE

use spider::configuration::RedirectPolicy;
use spider::website::Website;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let Some(urls) = std::env::args().nth(1) else {
        return Err(std::io::Error::other("usage: crawl-with-spider FILE"));
    };
    for home in std::fs::read_to_string(urls)?
        .lines()
        .filter(|url| url.matches('/').count() == 3 && url.ends_with('/'))
    {
        let mut website = Website::new(home);
        website
            .with_respect_robots_txt(true)
            .with_user_agent(Some("ExampleBot/1.0 (+https://example.com/bot)"))
            .with_full_resources(true)
            .with_redirect_policy(RedirectPolicy::None);
        website.crawl().await;
    }
    Ok(())
}
