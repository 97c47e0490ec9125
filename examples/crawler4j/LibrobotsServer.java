import edu.uci.ics.crawler4j.fetcher.PageFetcher;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtConfig;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtServer;
import edu.uci.ics.crawler4j.url.WebURL;
import edu.uci.ics.crawler4j.url.WebURLFactory;
import io.github.librobots.Crawler;
import io.github.librobots.RobotsCache;
import io.github.librobots.http.RobotsFetcher;

/**
 * A robots.txt server of crawler4j 5 that reads robots.txt with librobots. It fetches the robots.txt of each site itself, with its
 * redirects, and keeps it in a cache.
 *
 * <p>The constructor loads the native library. If that fails, there is no controller, and nothing is fetched.
 */
public class LibrobotsServer extends RobotstxtServer {
    private final RobotsFetcher fetcher;
    private final RobotsCache cache;

    /**
     * Makes a server.
     *
     * @param config its {@code userAgentName} is the product token, such as {@code ExampleBot}
     * @param pageFetcher the page fetcher of the controller
     * @param factory the factory for URLs of the frontier
     */
    public LibrobotsServer(RobotstxtConfig config, PageFetcher pageFetcher, WebURLFactory factory) {
        super(config, pageFetcher, factory);
        cache = RobotsCache.builder(Crawler.of(config.getUserAgentName())).build();
        fetcher = RobotsFetcher.of(config.getUserAgentName());
    }

    @Override
    public boolean allows(WebURL url, boolean isSeed) throws InterruptedException {
        boolean isFree = !config.isEnabled() || isSeed && config.isSkipCheckForSeeds();
        return isFree || fetcher.check(cache, url.getURL()).allowed();
    }

    @Override
    public boolean allows(WebURL url) throws InterruptedException {
        return allows(url, false);
    }
}
