"""clouds.yaml as openstacksdk reads it: where it is looked for, what is merged into it, what one cloud comes to."""

from ccmcheck.render.clouds_yaml.cloud import Cloud, load
from ccmcheck.render.clouds_yaml.files import search_path

__all__ = ["Cloud", "load", "search_path"]
