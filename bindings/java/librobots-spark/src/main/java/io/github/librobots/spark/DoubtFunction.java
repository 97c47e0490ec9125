package io.github.librobots.spark;

import io.github.librobots.Crawler;
import io.github.librobots.LintReport;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** {@code doubt(body)}: why a body is perhaps not the robots.txt that its site serves. */
public final class DoubtFunction extends Bound<UTF8String> {
    private static final long serialVersionUID = 1L;

    static final Definition DEFINITION = new Definition("doubt", "why a body is perhaps not the robots.txt that its site serves",
            DoubtFunction::new, Parameter.BODY);

    private static final Crawler CRAWLER = Crawler.builder().build();
    /** A file that was cut, lines that were joined, and rules above the first group, whose first line was lost. */
    private static final Set<String> DAMAGES = Set.of("R015", "R029", "R030");
    private static final UTF8String NO_GROUP = UTF8String.fromString("no_group");
    private static final UTF8String DAMAGED = UTF8String.fromString("damaged");

    private DoubtFunction(DataType[] inputs) {
        super("doubt", DataTypes.StringType, inputs);
    }

    /**
     * Returns what makes a body doubtful.
     *
     * @param body the body
     * @return {@code no_group} (without a user-agent line) or {@code damaged} (line ends or the first line were lost, or it was cut within
     *     the name of a field); null for a file like others, and for null
     */
    public static UTF8String invoke(byte[] body) {
        if (body == null) {
            return null;
        }
        LintReport report = CRAWLER.lint(body);
        boolean hasGroup = LongStream.rangeClosed(1, report.lineCount()).anyMatch(number -> report.line(number).kind() == LintReport.Kind.USER_AGENT);
        if (!hasGroup) {
            return NO_GROUP;
        }
        return report.diagnostics().stream().anyMatch(found -> DAMAGES.contains(found.code())) ? DAMAGED : null;
    }

    /**
     * Returns what makes a body doubtful.
     *
     * @param body the body
     * @return as for bytes
     */
    public static UTF8String invoke(UTF8String body) {
        return body == null ? null : invoke(body.getBytes());
    }
}
