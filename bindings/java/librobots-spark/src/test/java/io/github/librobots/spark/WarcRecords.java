package io.github.librobots.spark;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;

/** Makes records of WARC files. */
final class WarcRecords {
    private WarcRecords() {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a record. */
    static byte[] record(String type, String url, String date, String more, byte[] block) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(bytes("WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Target-URI: " + url + "\r\nWARC-Date: " + date
                + "\r\nWARC-Record-ID: <urn:uuid:" + UUID.nameUUIDFromBytes(bytes(url + date)) + ">\r\n"
                + more + "Content-Length: " + block.length + "\r\n\r\n"));
        out.writeBytes(block);
        out.writeBytes(bytes("\r\n\r\n"));
        return out.toByteArray();
    }

    /** Returns the record of a response. */
    static byte[] response(String url, String date, String head, byte[] body, String... more) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(bytes("HTTP/1.1 " + head + "\r\n\r\n"));
        block.writeBytes(body);
        String type = "Content-Type: application/http; msgtype=response\r\n";
        return record("response", url, date, type + String.join("", more), block.toByteArray());
    }

    static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }
}
