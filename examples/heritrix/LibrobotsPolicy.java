import io.github.librobots.Crawler;
import io.github.librobots.RobotsCache;
import io.github.librobots.Verdict;
import io.github.librobots.http.RobotsFetcher;
import java.util.logging.Logger;
import org.archive.modules.CrawlURI;
import org.archive.modules.net.RobotsPolicy;
import org.archive.modules.net.Robotstxt;

/**
 * A robots policy of Heritrix 3 that reads robots.txt with librobots. It ignores what Heritrix read, fetches the robots.txt of each
 * site itself, with its redirects, and keeps it in a cache.
 *
 * <p>The constructor loads the native library. If that fails, Heritrix cannot build the job, and fetches nothing.
 */
public class LibrobotsPolicy extends RobotsPolicy {
    private static final Logger LOG = Logger.getLogger(LibrobotsPolicy.class.getName());
    private static final int CACHE_BYTES = 256 << 20;

    private final RobotsFetcher fetcher;
    private final RobotsCache cache;

    /**
     * Makes a policy.
     *
     * @param token the product token, such as {@code ExampleBot}
     * @param userAgent the value of the {@code User-Agent} header for requests of robots.txt
     */
    public LibrobotsPolicy(String token, String userAgent) {
        cache = RobotsCache.builder(Crawler.of(token)).maxBytes(CACHE_BYTES).build();
        fetcher = RobotsFetcher.of(userAgent);
    }

    @Override
    public boolean allows(String userAgent, CrawlURI uri, Robotstxt ignored) {
        try {
            Verdict verdict = fetcher.check(cache, uri.getURI());
            if (verdict.deferred()) {
                LOG.warning("the robots.txt of " + uri.getURI() + " cannot be had");
            }
            return verdict.allowed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public boolean obeyMetaRobotsNofollow() {
        return true;
    }
}
