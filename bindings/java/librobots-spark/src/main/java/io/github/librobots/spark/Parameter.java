package io.github.librobots.spark;

import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;

/** A parameter of a function: its name and its types. Spark casts STRING to BINARY silently, so functions check types themselves. */
enum Parameter {
    /** A URL. */
    URL("url", "STRING"),
    /** The product token of a crawler, or several. */
    AGENT("agent", "STRING"),
    /** The settings of a crawler. */
    OPTIONS("options", "STRING"),
    /** Rules, compiled. */
    IMAGE("image", "BINARY"),
    /** A robots.txt. */
    BODY("body", "BINARY or STRING"),
    /** An HTTP status. */
    STATUS("status", "INT"),
    /** The headers of a response. */
    HEADERS("headers", "MAP<STRING, STRING>"),
    /** What a page is used for. */
    PURPOSE("purpose", "STRING");

    private static final DataType TEXTS = DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType, true);

    private final String label;
    private final String types;

    Parameter(String label, String types) {
        this.label = label;
        this.types = types;
    }

    /** Returns the type that a function declares for an argument; null if it refuses the type. */
    DataType declare(DataType type) {
        boolean isText = type instanceof StringType; // also a collated string of Spark 4
        boolean isNull = type instanceof NullType;
        switch (this) {
            case IMAGE:
                return type instanceof BinaryType || isNull ? DataTypes.BinaryType : null;
            case BODY:
                return isText || type instanceof BinaryType ? type : isNull ? DataTypes.BinaryType : null;
            case STATUS:
                boolean isInt = type instanceof IntegerType || type instanceof ShortType || type instanceof ByteType;
                return isInt || isNull ? DataTypes.IntegerType : null;
            case HEADERS:
                boolean isMap = type instanceof MapType && ((MapType) type).keyType() instanceof StringType
                        && ((MapType) type).valueType() instanceof StringType;
                return isMap ? type : isNull ? TEXTS : null;
            default:
                return isText ? type : isNull ? DataTypes.StringType : null;
        }
    }

    /** Returns what to write instead of an argument of a type that is refused. */
    String advice(DataType type) {
        String found = label + " is " + types + ", not " + type.sql();
        if (this == IMAGE) {
            return found + ": pass the result of compile or outcome";
        }
        return found + ": write CAST(... AS " + types.replaceFirst(" or .*", "") + ")";
    }

    @Override
    public String toString() {
        return label + " " + types;
    }
}
