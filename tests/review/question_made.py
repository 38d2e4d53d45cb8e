"""A page on create-monitor, made by hand."""

from __future__ import annotations

from typing import Any

from review_made import OFF, ON, nodes, predicted, service

from ccmcheck.policy.create_monitor.story import RecommendedSetting
from ccmcheck.predict.verdicts.redispatch import Share
from ccmcheck.review.create_monitor.records import (
    Figure,
    MotionRow,
    OptionCase,
    PageArgument,
    QuestionPage,
    Recommendation,
    RowTrial,
    ScriptCase,
    ServiceCase,
    Shares,
)


def question(name: str = "web", **fields: Any) -> QuestionPage:
    of = service("TCP/80 TCP/443", name=name, policy="Local")
    now, then = (predicted(config, of, nodes(12), topology="ACTIVE_STANDBY") for config in (OFF, ON))
    case = ServiceCase(
        of.title,
        "web.yaml",
        3,
        stand_in=False,
        policy="Local",
        ports=("TCP/80", "TCP/443"),
        row="M13",
        advice="true",
        via="cloud.conf",
        why="without it traffic goes to nodes that have no pod of the Service",
        actions=("where the client's address does not matter, Cluster is simpler",),
        cautions=("the pods still see the amphora's address",),
        source="kubernetes/cloud-provider-openstack#2866",
        tried=(RowTrial("M18", None, "the quota is not given"), RowTrial("M13", matches=True, why="it matches")),
        needs=("--monitor-quota",),
        timers="upstream",
        timers_why="up to 50 nodes on amphora",
        annotations={"loadbalancer.openstack.org/enable-health-monitor": None, "a.example/b": "c"},
        now=now,
        then=then,
    )
    made = QuestionPage(
        "clusters/prod/cloud.conf",
        "1.36",
        "assumed: the newest",
        "",
        "amphora",
        12,
        Recommendation(
            value=True,
            now=False,
            given=False,
            why="Local Services lose connections without monitors",
            rows=("M13", "M15"),
            config={"create-monitor": "true", "monitor-delay": "5s"},
            timers="upstream",
            timers_why="12 nodes on amphora",
            needs=("--octavia-release",),
        ),
        (case,),
        ("nodes are counted",),
        (Figure("monitors", "health monitors", "0", "2"), Figure("wrong-node", "lost", "75 %", "0 %", better=True)),
        (ScriptCase("special", "Local", now=False, then=True, now_text="3 of 4 fail", then_text="all reach a pod"),),
        (
            PageArgument(
                "local", "Local Services need it", "1 of 1 Services", "kubernetes/kubernetes#133052", applies=True
            ),
        ),
        (PageArgument("client", "amphora hides the client", "", "", applies=None),),
        (),
        (MotionRow("monitors", "0", "2"),),
        (Shares("web: 12 nodes, 3 with a pod", Share(0.1, 0.2), Share(0.3, 0.4), Share(0.5, 0.5)),),
        (OptionCase(1, "no support", "nothing", "none", "nothing changes", "not needed"),),
        RecommendedSetting("amphora", 3, "it works"),
        (),
        (),
    )
    return made._replace(**fields)
