import crawlercommons.filters.basic.BasicURLNormalizer;
import de.hshn.mi.crawler4j.frontier.HSQLDBFrontierConfiguration;
import edu.uci.ics.crawler4j.crawler.CrawlConfig;
import edu.uci.ics.crawler4j.crawler.CrawlController;
import edu.uci.ics.crawler4j.crawler.WebCrawler;
import edu.uci.ics.crawler4j.fetcher.PageFetcher;
import edu.uci.ics.crawler4j.frontier.FrontierConfiguration;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtConfig;
import edu.uci.ics.crawler4j.robotstxt.RobotstxtServer;
import edu.uci.ics.crawler4j.url.WebURLFactory;

/** Crawls from a page: CrawlWithCrawler4j own|librobots FOLDER URL */
public class CrawlWithCrawler4j {
    public static void main(String[] args) throws Exception {
        CrawlConfig config = new CrawlConfig();
        config.setCrawlStorageFolder(args[1]);
        config.setUserAgentString("ExampleBot/1.0 (+https://example.com/bot)");
        config.setPolitenessDelay(1);
        config.setIncludeBinaryContentInCrawling(true);
        config.setThreadMonitoringDelaySeconds(1);
        config.setThreadShutdownDelaySeconds(1);
        config.setCleanupDelaySeconds(1);
        FrontierConfiguration frontier = new HSQLDBFrontierConfiguration(config, 10);
        WebURLFactory factory = frontier.getWebURLFactory();
        BasicURLNormalizer normalizer = new BasicURLNormalizer();
        PageFetcher fetcher = new PageFetcher(config, normalizer);
        RobotstxtConfig robots = new RobotstxtConfig();
        robots.setUserAgentName("ExampleBot");
        RobotstxtServer server = args[0].equals("own")
                ? new RobotstxtServer(robots, fetcher, factory)
                : new LibrobotsServer(robots, fetcher, factory);
        CrawlController controller = new CrawlController(config, normalizer, fetcher, server, frontier);
        controller.addSeed(args[2]);
        controller.start(WebCrawler.class, 4);
    }
}
