package crawlercommons.robots;

import io.github.librobots.crawlercommons.LibrobotsParser;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Stands in for the class of crawler-commons in its test suite: rules of librobots with the methods that the suite calls. */
@SuppressWarnings("serial")
public class SimpleRobotRules extends BaseRobotRules {
    public enum RobotRulesMode {
        ALLOW_ALL, ALLOW_NONE, ALLOW_SOME
    }

    public static class RobotRule {}

    private final List<String> lines = new ArrayList<>();
    private BaseRobotRules rules;

    public SimpleRobotRules() {
        this(RobotRulesMode.ALLOW_SOME);
    }

    public SimpleRobotRules(RobotRulesMode mode) {
        switch (mode) {
            case ALLOW_ALL:
                rules = new LibrobotsParser().failedFetch(404);
                break;
            case ALLOW_NONE:
                rules = new LibrobotsParser().failedFetch(500);
                break;
            default:
                sortRules();
        }
    }

    SimpleRobotRules(BaseRobotRules rules) {
        this.rules = rules;
        setCrawlDelay(rules.getCrawlDelay());
        setDeferVisits(rules.isDeferVisits());
        rules.getSitemaps().forEach(this::addSitemap);
    }

    public void addRule(String prefix, boolean allow) {
        lines.add((allow ? "Allow: " : "Disallow: ") + prefix);
        sortRules();
    }

    public void sortRules() {
        String file = "User-agent: *\n" + String.join("\n", lines) + "\n";
        rules = new LibrobotsParser().parseContent("https://example.com/robots.txt", file.getBytes(StandardCharsets.UTF_8), null, List.of());
    }

    public List<RobotRule> getRobotRules() {
        throw new UnsupportedOperationException("LibrobotsRules has no list of rules");
    }

    @Override
    public boolean isAllowed(String url) {
        return rules.isAllowed(url);
    }

    @Override
    public boolean isAllowed(URL url) {
        return rules.isAllowed(url);
    }

    @Override
    public boolean isAllowAll() {
        return rules.isAllowAll();
    }

    @Override
    public boolean isAllowNone() {
        return rules.isAllowNone();
    }

    @Override
    public boolean isMatchedWildcard() {
        return rules.isMatchedWildcard();
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other) && lines.equals(((SimpleRobotRules) other).lines) && rules.equals(((SimpleRobotRules) other).rules);
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), lines, rules);
    }
}
