package io.github.librobots.spark;

import io.github.librobots.Origin;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code url_to_send(url)}: the form of the URL to be checked and then sent; null for text without an origin. */
public final class UrlToSendFunction extends Bound<UTF8String> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("url_to_send",
            "the form of the URL to be checked and then sent; null for text without an origin", UrlToSendFunction::new, Parameter.URL);

    private UrlToSendFunction(DataType[] inputs) {
        super("url_to_send", DataTypes.StringType, inputs);
    }

    /**
     * Returns the form to send, without white space around the URL.
     *
     * @param url the URL
     * @return the form (SPEC 8.11); null if the URL is null, or has no origin
     */
    public static UTF8String invoke(UTF8String url) {
        try {
            return url == null ? null : UTF8String.fromString(Origin.urlToSend(url.toString().replaceAll("^[ \t\n\f\r]+|[ \t\n\f\r]+$", "")));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
