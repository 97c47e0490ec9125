package io.github.librobots.spark;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.DataType;

/**
 * A function whose types are known. Spark calls the static {@code invoke} of its class, if it has one, with generated code or without. Its
 * arguments and its result may be null. It keeps nothing between two calls.
 *
 * @param <R> the class of results
 */
abstract class Bound<R> implements ScalarFunction<R> {
    private static final long serialVersionUID = 1L;

    private final String name;
    private final DataType result;
    private final DataType[] inputs;

    Bound(String name, DataType result, DataType[] inputs) {
        this.name = name;
        this.result = result;
        this.inputs = inputs;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String canonicalName() {
        return Arrays.stream(inputs).map(DataType::catalogString).collect(Collectors.joining(",", "librobots." + name + "(", ")"));
    }

    @Override
    public DataType[] inputTypes() {
        return inputs.clone();
    }

    @Override
    public DataType resultType() {
        return result;
    }

    @Override
    public boolean isResultNullable() {
        return true;
    }
}
