package io.github.librobots.spark;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog of functions for robots.txt, without tables. One setting registers it, with the name that statements use:
 * {@code spark.sql.catalog.robots=io.github.librobots.spark.RobotsCatalog}. Then {@code robots.allowed(image, url)} is a function of
 * SQL. {@code SHOW USER FUNCTIONS IN robots} lists them; a call with wrong arguments names the parameters.
 */
public final class RobotsCatalog implements FunctionCatalog {
    private static final Map<String, Definition> FUNCTIONS =
            Definition.all().stream().collect(Collectors.toMap(Definition::name, Function.identity()));

    private String name = "robots";

    /** Makes the catalog; Spark calls it, and then {@link #initialize}. */
    public RobotsCatalog() {}

    @Override
    public void initialize(String name, CaseInsensitiveStringMap options) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Identifier[] listFunctions(String[] namespace) {
        if (namespace.length > 0) {
            return new Identifier[0];
        }
        return FUNCTIONS.keySet().stream().sorted().map(f -> Identifier.of(namespace, f)).toArray(Identifier[]::new);
    }

    @Override
    public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
        Definition found = identifier.namespace().length == 0 ? FUNCTIONS.get(identifier.name().toLowerCase(java.util.Locale.ROOT)) : null;
        if (found == null) {
            throw new NoSuchFunctionException(identifier);
        }
        return found;
    }
}
