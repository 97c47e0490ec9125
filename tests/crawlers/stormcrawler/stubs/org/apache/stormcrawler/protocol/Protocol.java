package org.apache.stormcrawler.protocol;

import crawlercommons.robots.BaseRobotRules;
import org.apache.storm.Config;
import org.apache.stormcrawler.Metadata;

/** The methods that a protocol of StormCrawler must have. */
public interface Protocol {
    void configure(Config conf);

    ProtocolResponse getProtocolOutput(String url, Metadata metadata) throws Exception;

    BaseRobotRules getRobotRules(String url);

    void cleanup();
}
