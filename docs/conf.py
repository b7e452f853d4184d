"""Sphinx' settings: `make docs` builds the site into build/docs. Its pages load nothing from elsewhere."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "benchmarks")]
os.environ.update(NEARLY_PROGRESS="0", PYTHONWARNINGS="ignore")  # of notebooks: no bars in the pages

import nearly  # noqa: E402

project = "nearly"
author = "the authors of nearly"
copyright = "the authors of nearly, MIT licence"
version = release = nearly.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "sphinx.ext.napoleon", "sitegen"]
exclude_patterns = ["sitegen"]
nitpicky = True
nitpick_ignore_regex = [(r"py:.*", r"(?!nearly\.).*")]  # other projects' names, and words that are no names

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_in_temp = True
nb_merge_streams = True
nb_output_stderr = "remove"  # what is being compiled

default_role = "name"  # `nearly.bfs` in docstrings is a link, other names are code
highlight_language = "none"
python_use_unqualified_type_names = True
autodoc_typehints = "none"  # the docstrings tell types
autodoc_member_order = "bysource"
autosummary_generate = False
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
linkcheck_timeout = 20

html_theme = "pydata_sphinx_theme"
html_title = f"nearly {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_sidebars = {"index": [], "gallery": []}
html_theme_options = {
    "logo": {"text": "nearly"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "secondary_sidebar_items": {
        "**": ["page-toc"],
        "generated/guarantee-matrix": [],
        "generated/benchmarks/all-results": [],
    },
    "footer_start": ["copyright"],
    "footer_end": ["theme-version"],
}
