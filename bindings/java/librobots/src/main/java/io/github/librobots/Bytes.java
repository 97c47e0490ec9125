package io.github.librobots;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a native object as a collection with one element, which is copied on demand. Serializers that copy fields, such as Kryo,
 * copy the elements of a collection: so a field of this class makes its owner serializable, without a dependency on them.
 */
final class Bytes extends AbstractCollection<byte[]> {
    private final @Nullable Supplier<byte[]> source;
    private byte @Nullable [] read;

    /** For a serializer, which then calls {@link #add}. */
    private Bytes() {
        source = null;
    }

    /** Makes the bytes of an object, which {@code source} copies. */
    Bytes(Supplier<byte[]> source) {
        this.source = source;
    }

    /**
     * Returns the bytes that a serializer has read.
     *
     * @throws IllegalStateException if there are none
     */
    byte[] read() {
        if (read == null) {
            throw new IllegalStateException("the object was not read completely: serialize it with Java serialization or Kryo");
        }
        return read;
    }

    @Override
    public boolean add(byte[] bytes) {
        read = bytes;
        return true;
    }

    @Override
    public Iterator<byte[]> iterator() {
        Collection<byte[]> one = Collections.singleton(source == null ? read() : source.get());
        return one.iterator();
    }

    @Override
    public int size() {
        return 1;
    }

    /** Returns a text without the bytes. */
    @Override
    public String toString() {
        return "bytes";
    }
}
