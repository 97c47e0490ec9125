package org.apache.storm;

import java.util.HashMap;

/** The settings of a topology. */
public class Config extends HashMap<String, Object> {
    private static final long serialVersionUID = 1L;
}
