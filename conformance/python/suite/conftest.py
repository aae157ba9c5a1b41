"""Gives each story its own queue for each client, and writes down how it went."""

import json
import os
import re
from pathlib import Path

import pytest

from .clients import AioClients, Queue, SyncClients, Topic

REPORT = os.environ.get("SUITE_REPORT")
QUEUES = Path(__file__).parent.parent / "queues.txt"
CLIENTS = {clients.name: clients for clients in (SyncClients(), AioClients())}
_told = set()


def words(item):
    return item.originalname.removeprefix("test_").replace("_", " ")


def queue_names():
    lines = (line.strip() for line in QUEUES.read_text().splitlines())
    return {line.split(",")[0] for line in lines if line and not line.startswith("#")}


def story_name(item):
    return words(item).replace(" ", "-")


def client_name(item):
    """Which client tells the story; "plain" is the one without the SDK."""
    if "queues" in item.fixturenames:
        return " and ".join(CLIENTS)
    parameters = getattr(item, "callspec", None)
    return parameters.params.get("clients", "plain") if parameters else "plain"


def needed_queues(item):
    if "queues" in item.fixturenames:
        return {f"{story_name(item)}-{name}" for name in CLIENTS}
    return {f"{story_name(item)}-{client_name(item)}"} if "queue" in item.fixturenames else set()


def pytest_generate_tests(metafunc):
    if "clients" in metafunc.fixturenames:
        metafunc.parametrize("clients", list(CLIENTS), indirect=True)


def pytest_collection_modifyitems(items):
    known = queue_names()
    for item in items:
        rules = [number for mark in item.iter_markers("rule") for number in mark.args]
        item.user_properties.append(("story", f"{words(item)} ({client_name(item)})"))
        item.user_properties.append(("rules", rules))
        missing = needed_queues(item) - known
        if missing:
            raise pytest.UsageError(f"queues.txt lacks {missing}")


@pytest.fixture
def clients(request):
    return CLIENTS[request.param]


@pytest.fixture
async def queue(request, clients):
    return Queue(clients, f"{story_name(request.node)}-{clients.name}")


@pytest.fixture
async def topic(request, clients):
    return Topic(clients, f"{story_name(request.node)}-{clients.name}")


@pytest.fixture
async def queues(request):
    """One for each client, for stories that both tell at the same time."""
    story = story_name(request.node)
    return [Queue(clients, f"{story}-{name}") for name, clients in CLIENTS.items()]


@pytest.fixture
def refused(request):
    """Checks what the SDK raised and keeps it for the report."""

    def check(name, error, kind, transient, code=""):
        seen = {
            "refusal": name,
            "class": type(error).__name__,
            "code": code_of(error),
            # The SDK asks its errors this before each retry; others have no such notion.
            "transient": getattr(error, "_retryable", None),
            "message": str(error) + said_inside(error),
        }
        request.node.user_properties.append(("refusal", seen))
        assert (seen["class"], seen["transient"], seen["code"]) == (kind.__name__, transient, code)

    return check


def said_inside(error):
    inner = getattr(error, "inner_exception", None)
    return f" [{inner}]" if inner and str(inner) not in str(error) else ""


def code_of(error):
    """The AMQP condition, which the SDK puts into its text."""
    found = re.search(r"Error condition: (\S+?)\.( |$)", str(error))
    return found.group(1).removeprefix("ErrorCondition.") if found else ""


def pytest_runtest_logreport(report):
    """In the process that started the others: one line for each story and each refusal."""
    if not REPORT or os.environ.get("PYTEST_XDIST_WORKER"):
        return
    properties = dict(entry for entry in report.user_properties if entry[0] != "refusal")
    if report.when == "call":
        for key, refusal in report.user_properties:
            same = (
                (refusal["refusal"], refusal["class"], refusal["code"])
                if key == "refusal"
                else None
            )
            if same and same not in _told:
                _told.add(same)
                write(refusal)
    outcome = outcome_of(report)
    if outcome:
        write({"test": properties["story"], "rules": properties["rules"], **outcome})


def outcome_of(report):
    if report.skipped:
        return {"notRun": str(report.longrepr[-1]).removeprefix("Skipped: ")}
    if report.failed:
        return {"ok": False, "why": f"{report.when}: {report.longreprtext}"}
    return {"ok": True} if report.when == "call" else None


def write(line):
    with open(REPORT, "a", encoding="utf-8") as report:
        report.write(json.dumps(line) + "\n")
