package io.github.librobots.spark;

import io.github.librobots.Crawler;
import io.github.librobots.PageControls;
import io.github.librobots.Uses;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * {@code use_for(agent, body, headers, url, purpose[, options])}: whether a page may be used for a purpose, and what decides. A null body
 * is a robots.txt that is not known, and null headers are those of a page that is not known: the answer is never {@code allowed} then.
 */
public final class UseForFunction extends Bound<InternalRow> {
    private static final long serialVersionUID = 1L;

    private static final DataType TYPE = DataTypes.createStructType(Arrays.asList(
            DataTypes.createStructField("use", DataTypes.StringType, false),
            DataTypes.createStructField("source", DataTypes.StringType, true),
            DataTypes.createStructField("line", DataTypes.LongType, false),
            DataTypes.createStructField("text", DataTypes.StringType, true)));

    static final Definition DEFINITION = new Definition("use_for", "whether a page may be used for a purpose, and what decides",
            UseForFunction::new, Parameter.AGENT, Parameter.BODY, Parameter.HEADERS, Parameter.URL, Parameter.PURPOSE, Parameter.OPTIONS);

    /** Whether the body is BINARY, not STRING. */
    private final boolean isBinary;
    /** Whether there are options of the crawler. */
    private final boolean hasOptions;

    private UseForFunction(DataType[] inputs) {
        super("use_for", TYPE, inputs);
        isBinary = inputs[1] instanceof BinaryType;
        hasOptions = inputs.length > 5;
    }

    /**
     * Answers for a page.
     *
     * @param row the product tokens of the crawler, the robots.txt, the headers of the page, its URL, the purpose and, perhaps, the options
     *     of the crawler
     * @return {@code struct(use, source, line, text)}; the use is {@code bad_url} for text that is not the URL of a site; null if agent, URL
     *     or purpose is null
     * @throws IllegalArgumentException if the agent, the purpose or the options are not valid
     */
    @Override
    public InternalRow produceResult(InternalRow row) {
        if (row.isNullAt(0) || row.isNullAt(3) || row.isNullAt(4)) {
            return null;
        }
        Crawler crawler = Crawlers.get(row.getUTF8String(0), hasOptions && !row.isNullAt(5) ? row.getUTF8String(5) : null);
        Uses.Purpose purpose = Crawlers.pick(Uses.Purpose.class, "purpose", row.getUTF8String(4).toString());
        byte[] body = row.isNullAt(1) ? null : isBinary ? row.getBinary(1) : row.getUTF8String(1).getBytes();
        PageControls page = row.isNullAt(2) ? null : page(crawler, row.getMap(2));
        String url = row.getUTF8String(3).toString();
        if (OriginFunction.invoke(row.getUTF8String(3)) == null) {
            return result("bad_url", null, 0, null);
        }
        Uses.Answer answer = crawler.uses(url, body).useFor(url, purpose, page);
        if (page != null) {
            page.close();
        }
        Uses.Signal by = answer.decidedBy().orElse(null);
        return by == null ? result(answer.says().name(), null, 0, null) : result(answer.says().name(), by.source().name(), by.line(), by.text());
    }

    private static PageControls page(Crawler crawler, MapData map) {
        Map<String, List<String>> headers = new HashMap<>();
        for (int i = 0; i < map.numElements(); i++) {
            if (!map.valueArray().isNullAt(i)) {
                headers.put(map.keyArray().getUTF8String(i).toString(), List.of(map.valueArray().getUTF8String(i).toString()));
            }
        }
        return PageControls.of(crawler, headers);
    }

    private static InternalRow result(String use, String source, long line, String text) {
        return new GenericInternalRow(new Object[] {word(use), source == null ? null : word(source), line, UTF8String.fromString(text)});
    }

    private static UTF8String word(String name) {
        return UTF8String.fromString(name.toLowerCase(Locale.ROOT));
    }
}
