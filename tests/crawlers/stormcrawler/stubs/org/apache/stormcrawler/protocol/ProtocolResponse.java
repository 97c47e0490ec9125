package org.apache.stormcrawler.protocol;

import org.apache.stormcrawler.Metadata;

/** What a protocol of StormCrawler returns. */
public class ProtocolResponse {
    private final byte[] content;
    private final int statusCode;
    private final Metadata metadata;

    public ProtocolResponse(byte[] content, int statusCode, Metadata metadata) {
        this.content = content;
        this.statusCode = statusCode;
        this.metadata = metadata;
    }

    public byte[] getContent() {
        return content;
    }

    public int getStatusCode() {
        return statusCode;
    }

    public Metadata getMetadata() {
        return metadata;
    }
}
