# All that the rooms of `cluster` use of the rest of the package; core.py reads this file, too: a module a line.

from ccmcheck import carriers, catalog, yamlio
from ccmcheck.base import budget, cluster_facts, errors, model
from ccmcheck.base import result as lint_results
from ccmcheck.base.atomic_write import open_to_keep
from ccmcheck.base.escape import printable
from ccmcheck.base.lazy_regex import lazy_regex
from ccmcheck.base.open_input import read_input
from ccmcheck.base.path_proximity import nearest
from ccmcheck.base.records import NamedTuple
from ccmcheck.base.suggest import hint
from ccmcheck.base.yaml_block import yaml
from ccmcheck.carriers import live as live_records
from ccmcheck.catalog import behaviour, octavia_repairs, service_annotations
from ccmcheck.catalog import octavia as octavia_api
from ccmcheck.catalog.data import cluster as cluster_names
from ccmcheck.catalog.messages import explained
from ccmcheck.catalog.signs import releases as images
from ccmcheck.conf import nearby_conf, target_release
from ccmcheck.conf.view import CloudConf
from ccmcheck.fix import diff as fix_diff
from ccmcheck.fix import passes as fixes
from ccmcheck.lint import run_options
from ccmcheck.lint import texts as lint_texts
from ccmcheck.predict import records as predictions
from ccmcheck.predict.inputs import cloud_state, ranges
from ccmcheck.predict.inputs import cluster as cluster_inputs
from ccmcheck.predict.inputs import manifests as manifest_data
from ccmcheck.predict.inputs import options as predict_options
from ccmcheck.predict.inputs import service as service_input
from ccmcheck.predict.inputs.fields import Opaque
from ccmcheck.predict.pipeline import predict
from ccmcheck.predict.requests import load_balancer_spec as balancer_spec
from ccmcheck.predict.verdicts import redispatch
from ccmcheck.redact import masker as masking
from ccmcheck.redact.report import redact_report
from ccmcheck.report import markup
from ccmcheck.report import records as json_text
from ccmcheck.report import reports as openreports
from ccmcheck.report.document import blocks
from ccmcheck.report.document import layout as columns
from ccmcheck.report.document.writers import written
from ccmcheck.review.change import compare as comparing
from ccmcheck.review.change import inputs as sides
from ccmcheck.review.change import report as review_report
from ccmcheck.review.change import settings as review_settings
from ccmcheck.review.change import steady_state
from ccmcheck.rules.views.live_status import status_difference
from ccmcheck.rules.views.pod_owners import OwnersByLabel
from ccmcheck.workspace import survey as surveys
from ccmcheck.workspace.deployment import build as deployment_build
from ccmcheck.workspace.deployment import ccm_flags

__all__ = [
    "CloudConf", "NamedTuple", "Opaque", "OwnersByLabel", "balancer_spec", "behaviour", "blocks", "budget",
    "carriers", "catalog", "ccm_flags", "cloud_state", "cluster_facts", "cluster_inputs", "cluster_names", "columns",
    "comparing", "deployment_build", "errors", "explained", "fix_diff", "fixes", "hint", "images", "json_text",
    "lazy_regex", "lint_results", "lint_texts", "live_records", "manifest_data", "markup",
    "masking", "model", "nearby_conf", "nearest", "octavia_api", "octavia_repairs", "open_to_keep",
    "openreports", "predict", "predict_options", "predictions", "printable", "ranges", "read_input", "redact_report",
    "redispatch", "review_report", "review_settings", "run_options", "service_annotations", "service_input",
    "sides", "status_difference", "steady_state", "surveys", "target_release", "written", "yaml", "yamlio",
]  # fmt: skip
