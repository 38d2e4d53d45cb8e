"""Writes new files from templates: a cloud.conf, and the objects that carry one.

The settings come from a clouds.yaml or an existing cloud.conf, a profile and the command line; jinja2 puts them into
the templates; the result is linted before anybody gets it.
"""

from ccmcheck.render.environment import TEMPLATES
from ccmcheck.render.rendering import Rendered, RenderRequest, render

__all__ = ["TEMPLATES", "RenderRequest", "Rendered", "render"]
