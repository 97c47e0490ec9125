package crawlercommons.robots;

import io.github.librobots.crawlercommons.LibrobotsParser;
import java.util.Collection;

/** Stands in for the class of crawler-commons in its test suite: a parser of librobots with the methods that the suite calls. */
@SuppressWarnings("serial")
public class SimpleRobotRulesParser extends BaseRobotsParser {
    private final LibrobotsParser parser = new LibrobotsParser();

    public SimpleRobotRulesParser() {}

    /** Has the parameters that the adapter of the conformance suite passes. LibrobotsParser has no warnings. */
    public SimpleRobotRulesParser(long maxCrawlDelay, int maxWarnings) {
        parser.setMaxCrawlDelay(maxCrawlDelay);
    }

    /** LibrobotsParser always matches whole names. */
    public void setExactUserAgentMatching(boolean exact) {}

    @Override
    public SimpleRobotRules parseContent(String url, byte[] content, String contentType, Collection<String> robotNames) {
        return new SimpleRobotRules(parser.parseContent(url, content, contentType, robotNames));
    }

    @Deprecated
    @Override
    public SimpleRobotRules parseContent(String url, byte[] content, String contentType, String robotNames) {
        return new SimpleRobotRules(parser.parseContent(url, content, contentType, robotNames));
    }

    @Override
    public SimpleRobotRules failedFetch(int httpStatusCode) {
        return new SimpleRobotRules(parser.failedFetch(httpStatusCode));
    }

    public int getNumWarnings() {
        throw new UnsupportedOperationException("LibrobotsParser counts no warnings; Crawler.lint lists them");
    }

    protected boolean userAgentProductTokenPartialMatch(String agentName, Collection<String> targetTokens) {
        throw new UnsupportedOperationException("LibrobotsParser has no method to match names");
    }

    public static Collection<String> sanitizeRobotNames(Collection<String> robotNames) {
        throw new UnsupportedOperationException("LibrobotsParser has no method to sanitize names");
    }

    protected static boolean isValidUserAgentToObey(String userAgent) {
        throw new UnsupportedOperationException("LibrobotsParser has no method to check names");
    }
}
