import io.github.librobots.stormcrawler.LibrobotsProtocol;
import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.storm.Config;

/** Fetches each URL of a file that its robots.txt allows, as StormCrawler's fetcher does: Crawl FILE */
public class Crawl {
    public static void main(String[] args) throws Exception {
        Config conf = new Config();
        conf.put("http.agent.name", "ExampleBot");
        conf.put(LibrobotsProtocol.HTTP, "Http");
        LibrobotsProtocol protocol = new LibrobotsProtocol();
        protocol.configure(conf);
        for (String url : Files.readAllLines(Paths.get(args[0]))) {
            if (protocol.getRobotRules(url).isAllowed(url)) {
                protocol.getProtocolOutput(url, null);
            }
        }
        protocol.cleanup();
    }
}
