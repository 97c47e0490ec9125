"""Sphinx makes the site of this: `make site`."""

import os
import sys

project = "librobots"
author = "The librobots developers"
extensions = ["myst_parser"]
if "SITE_PYTHON" in os.environ:  # the folder of the package, with what its modules import
    sys.path.append(os.environ["SITE_PYTHON"])
    extensions.append("sphinx.ext.autodoc")
    autodoc_default_options = {"members": True, "show-inheritance": True}
    autodoc_mock_imports = ["pyspark"]
myst_heading_anchors = 6
suppress_warnings = ["myst.xref_missing", "myst.header", "misc.highlighting_failure"]  # check.mjs finds dead links
html_theme = "furo"
html_title = "librobots"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = False
# Search then works from `file:`, where a page cannot read other pages.
html_show_search_summary = False
