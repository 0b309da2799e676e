"""The merge of 004's returns, written straightforwardly, as the yardstick of `benches/merge.rs`.

In: a JSON file that holds an array of returns. Out: the seconds that merging took (not reading the file), and how many
findings are reported and suppressed. The rules are those of `crates/jury/src/synthesis`, without a tree and a change.
"""

import hashlib
import json
import re
import sys
import time

SEVERITY = {"P0": 0, "P1": 1, "P2": 2, "P3": 3}
CAUTION_OF_CLASS = {"safe_auto": 0, "gated_auto": 1, "manual": 2, "advisory": 3}
CAUTION_OF_OWNER = {"review-fixer": 0, "downstream-resolver": 1, "release": 2, "human": 3}
RAISED = {50: 75, 75: 100}
EMPTY = set("a an and are as at be by for from has have in into is it its of on or so that the this to when with".split())
DENIALS = set("absent cannot lacks missing never no not without".split())


def key(finding):
    return (finding["file"].strip().lower(), finding["line"], " ".join(finding["title"].lower().split()))


def weight(finding):
    return (SEVERITY[finding["severity"]], -finding["confidence"], finding["file"], finding["line"], finding["title"])


def attribute(returns):
    claims = []
    for answer in returns:
        for finding in answer["findings"]:
            claim = dict(finding)
            claim["reviewers"] = {answer["reviewer"]}
            if answer["reviewer"] == "fast-pass":
                claim["confidence"] = min(claim["confidence"], 50)
            claim["proven"] = {answer["reviewer"]} if claim.get("evidence") else set()
            claim["trail"] = []
            claims.append(claim)
    return claims


def combine(group):
    group.sort(key=weight)
    leader = group[0]
    for other in group[1:]:
        leader["confidence"] = max(leader["confidence"], other["confidence"])
        leader["pre_existing"] = leader["pre_existing"] and other["pre_existing"]
        leader["requires_verification"] = leader["requires_verification"] or other["requires_verification"]
        if CAUTION_OF_CLASS[other["autofix_class"]] > CAUTION_OF_CLASS[leader["autofix_class"]]:
            leader["autofix_class"] = other["autofix_class"]
        if CAUTION_OF_OWNER[other["owner"]] > CAUTION_OF_OWNER[leader["owner"]]:
            leader["owner"] = other["owner"]
        for item in other["evidence"]:
            if item not in leader["evidence"]:
                leader["evidence"].append(item)
        leader["reviewers"] |= other["reviewers"]
        leader["proven"] |= other["proven"]
        leader["trail"].append("merged with the claim of " + ", ".join(sorted(other["reviewers"])))
    return leader


def merge_exact(claims):
    groups = {}
    for claim in claims:
        groups.setdefault(key(claim), []).append(claim)
    return [combine(group) for group in groups.values()]


def sketch(title):
    words, names, numbers, denies = set(), set(), set(), False
    for token in re.findall(r"[A-Za-z0-9_$.']+", title):
        word = token.lower().strip(".'")
        if not word or word in EMPTY:
            continue
        if any(c.isdigit() for c in word):
            numbers.add(word)
        elif "_" in word or "." in word or re.search(r"[a-z][A-Z]", token):
            names.add(word)
            words.add(word)
        elif word in DENIALS:
            denies = True
        else:
            words.add(re.sub(r"(ations?|ings?|ied|ies|ed|es|s|e|y)$", "", word) if len(word) > 5 else word)
    return words, names, numbers, denies


def is_like(a, b):
    if a[2] != b[2] or a[3] != b[3] or (a[1] - b[1] and b[1] - a[1]):
        return False
    common, ours, theirs = len(a[0] & b[0]), len(a[0] - b[0]), len(b[0] - a[0])
    least = 0.5 if not ours or not theirs else 0.75
    return common >= 3 and common >= least * (common + ours + theirs)


def merge_near(claims):
    by_file = {}
    for claim in claims:
        by_file.setdefault(claim["file"].strip().lower(), []).append(claim)
    merged = []
    for group in by_file.values():
        group.sort(key=weight)
        leaders = {}
        joined = {}
        for claim in group:
            mine = sketch(claim["title"])
            for line in range(claim["line"] - 3, claim["line"] + 4):
                found = next(
                    (
                        leader
                        for leader, theirs in leaders.get(line, ())
                        if is_like(mine, theirs) and not leader["reviewers"] & claim["reviewers"]
                    ),
                    None,
                )
                if found is not None:
                    joined.setdefault(id(found), []).append(claim)
                    break
            else:
                leaders.setdefault(claim["line"], []).append((claim, mine))
        for line in leaders.values():
            for leader, _ in line:
                merged.append(combine([leader, *joined.get(id(leader), ())]))
    return merged


def promote(finding):
    independent = sorted(name for name in finding["proven"] if name != "fast-pass")
    finding["independent_reviewers"] = independent
    if len(independent) >= 2 and finding["confidence"] in RAISED:
        finding["confidence"] = RAISED[finding["confidence"]]
        finding["trail"].append("raised: " + ", ".join(independent) + " agree independently")


def merge(returns):
    findings = merge_near(merge_exact(attribute(returns)))
    for finding in findings:
        promote(finding)
    reported, suppressed, pre_existing, counts = [], [], [], {}
    for finding in findings:
        confidence = finding["confidence"]
        if confidence < 75 and not (finding["severity"] == "P0" and confidence >= 50):
            suppressed.append(finding)
            counts[confidence] = counts.get(confidence, 0) + 1
        elif finding["pre_existing"]:
            pre_existing.append(finding)
        else:
            reported.append(finding)
    seen = {}
    number = 0
    for group in (reported, suppressed, pre_existing):
        group.sort(key=weight)
        for finding in group:
            number += 1
            finding["number"] = number
            finding["reviewers"] = sorted(finding["reviewers"])
            domain = finding["reviewers"][0]
            path = hashlib.sha256(finding["file"].encode()).hexdigest()[:8]
            name = f"{domain}-{path}-{finding['line']}"
            seen[name] = seen.get(name, 0) + 1
            finding["id"] = name if seen[name] == 1 else f"{name}~{seen[name]}"
            title = " ".join(finding["title"].lower().split())
            code = "".join("\n".join(finding["evidence"]).split())
            parts = "\0".join([domain, title, code, finding["file"]])
            finding["fingerprint"] = hashlib.sha256(parts.encode()).hexdigest()[:32]
    return reported, suppressed, pre_existing, counts


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        returns = json.load(file)
    start = time.perf_counter()
    reported, suppressed, pre_existing, _ = merge(returns)
    print(time.perf_counter() - start, len(reported) + len(pre_existing), len(suppressed))


main()
