import java.nio.file.Files;
import java.nio.file.Paths;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;
import org.apache.nutch.crawl.CrawlDatum;
import org.apache.nutch.fetcher.Fetcher;
import org.apache.nutch.util.NutchConfiguration;

/** Fetches a segment that has all URLs of a file: CrawlWithNutch own|librobots|broken PLUGINS SEGMENT FILE */
public class CrawlWithNutch {
    public static void main(String[] args) throws Exception {
        Configuration conf = NutchConfiguration.create();
        conf.set("http.agent.name", "ExampleBot");
        conf.set("plugin.folders", args[1]);
        conf.set("plugin.includes", args[0].equals("own") ? "nutch-extensionpoints|http" : "nutch-extensionpoints|http|librobots-nutch");
        conf.set("librobots.http", "Http");
        conf.setBoolean("plugin.auto-activation", true);
        conf.setFloat("fetcher.server.delay", 0.001f);
        conf.setFloat("fetcher.server.min.delay", 0.001f);
        conf.setBoolean("fetcher.parse", false);
        conf.set("fetcher.queue.mode", "byHost");
        conf.setInt("fetcher.threads.per.queue", 4);
        conf.setLong("http.robots.503.defer.visits.delay", 100);
        conf.setInt("http.robots.503.defer.visits.retries", 1);
        conf.set("hadoop.tmp.dir", args[2] + ".tmp");
        Path generated = new Path(args[2], CrawlDatum.GENERATE_DIR_NAME + "/part-r-00000");
        try (SequenceFile.Writer writer = SequenceFile.createWriter(conf, SequenceFile.Writer.file(generated),
                SequenceFile.Writer.keyClass(Text.class), SequenceFile.Writer.valueClass(CrawlDatum.class))) {
            for (String url : Files.readAllLines(Paths.get(args[3]))) {
                writer.append(new Text(url), new CrawlDatum(CrawlDatum.STATUS_DB_UNFETCHED, 1));
            }
        }
        new Fetcher(conf).fetch(new Path(args[2]), 8);
    }
}
