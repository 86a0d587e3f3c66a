"""Reads the approved reports with Python's own parsers: an outside witness that they are XML and JSON, and that the
counts a JUnit file states are those of its elements."""

import json
import pathlib
import sys
import xml.etree.ElementTree as tree


def check_junit(path):
    root = tree.parse(path).getroot()
    suite = root.find("testsuite")
    cases = suite.findall("testcase")
    found = {"tests": len(cases)}
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        found[attribute] = sum(1 for case in cases if case.find(tag) is not None)
    for element in (root, suite):
        for attribute, number in found.items():
            assert int(element.get(attribute)) == number, f"{path}: {attribute} is not {number}"
    red = found["failures"] + found["errors"] > 0
    verdict = suite.find("properties/property[@name='verdict']").get("value")
    assert red == (verdict != "accepted"), f"{path}: a {verdict} that is {'red' if red else 'green'}"


def check_json(path):
    def refuse(constant):
        raise ValueError(f"{path}: {constant} is not JSON")

    text = path.read_text(encoding="ascii")
    assert json.loads(text, parse_constant=refuse)["schema"] == "engine.report/1", path


def main(folder):
    junit = sorted(folder.glob("junit/*.xml"))
    reports = sorted(folder.glob("json/*.json"))
    assert junit and reports, f"no golden files below {folder}"
    for path in junit:
        check_junit(path)
    for path in reports:
        check_json(path)
    print(f"{len(junit)} JUnit and {len(reports)} JSON files are well formed")


main(pathlib.Path(sys.argv[1]))
