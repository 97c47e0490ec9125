package io.github.librobots.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A function of the catalog before its arguments are known. */
final class Definition implements UnboundFunction {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final String text;
    private final List<Parameter> parameters;
    private final transient Function<DataType[], BoundFunction> make;

    /**
     * Makes a definition. If the last parameter is {@link Parameter#OPTIONS}, it may be left out.
     *
     * @param name the name, without the catalog
     * @param text what the function returns
     * @param make makes the function for declared types
     * @param parameters the parameters
     */
    Definition(String name, String text, Function<DataType[], BoundFunction> make, Parameter... parameters) {
        this.name = name;
        this.text = text;
        this.make = make;
        this.parameters = List.of(parameters);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public BoundFunction bind(StructType arguments) {
        StructField[] fields = arguments.fields();
        int most = parameters.size();
        int least = most - (parameters.get(most - 1) == Parameter.OPTIONS ? 1 : 0);
        if (fields.length < least || fields.length > most) {
            throw new UnsupportedOperationException(signature() + " has " + fields.length + " arguments here");
        }
        List<DataType> declared = new ArrayList<>();
        for (int i = 0; i < fields.length; i++) {
            DataType type = parameters.get(i).declare(fields[i].dataType());
            if (type == null) {
                throw new UnsupportedOperationException(signature() + ": " + parameters.get(i).advice(fields[i].dataType()));
            }
            declared.add(type);
        }
        return make.apply(declared.toArray(new DataType[0]));
    }

    /** Returns name and parameters, such as {@code allowed(image BINARY, url STRING)}. */
    private String signature() {
        String list = parameters.stream().map(Parameter::toString).collect(Collectors.joining(", "));
        return name + "(" + list.replaceFirst(", (options STRING)$", "[, $1]") + ")";
    }

    @Override
    public String description() {
        return signature() + ": " + text;
    }

    /** Returns the definitions by name. */
    static List<Definition> all() {
        return Arrays.asList(OriginFunction.DEFINITION, RobotsUrlFunction.DEFINITION, UrlToSendFunction.DEFINITION,
                CompileFunction.DEFINITION, OutcomeFunction.DEFINITION, AllowedFunction.DEFINITION, VerdictFunction.DEFINITION, AnswerFunction.DEFINITION,
                OnceFunction.DEFINITION, CrawlDelayFunction.DEFINITION, SitemapsFunction.DEFINITION, IsValidFunction.DEFINITION,
                DoubtFunction.DEFINITION, UseForFunction.DEFINITION);
    }
}
