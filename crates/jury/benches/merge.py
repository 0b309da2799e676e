"""The merge of 004's returns, written straightforwardly, as the yardstick of `benches/merge.rs`.

In: a JSON file that holds an array of returns. Out: the seconds that merging took (not reading the file), how many
findings are reported and suppressed, and a digest of all of them in order, which must be that of `jury` itself. So the
work is the same: the rules of `crates/jury/src/synthesis` without a tree, a change and waivers, with the trail, the
origins, the ids and the fingerprints.
"""

import hashlib
import json
import re
import struct
import sys
import time

SEVERITIES = ["P0", "P1", "P2", "P3"]
WORDS = {"P0": "Blocker", "P1": "High", "P2": "Medium", "P3": "Low"}
CAUTION_OF_CLASS = {"safe_auto": 0, "gated_auto": 1, "manual": 2, "advisory": 3}
CAUTION_OF_OWNER = {"review-fixer": 0, "downstream-resolver": 1, "release": 2, "human": 3}
RAISED = {50: 75, 75: 100}
NEAR_LINES = 3
CROWD = 16

EMPTY = set(
    "a all an and any are as at be been being but by can could do does during each entirely every for from has have if in"
    " into is it its may might of on or should so still that the their then there this through to via was were when where"
    " which while will with would".split()
)
DENIALS = set(
    "absent aren't can't cannot didn't doesn't don't fail fails hasn't isn't lack lacking lacks missing never no non none"
    " not unable wasn't without won't zero".split()
)
MEANS = {
    "authorisation": "authorization",
    "bounds": "bound",
    "catch": "handle",
    "concatenated": "concat",
    "concatenates": "concat",
    "concatenation": "concat",
    "coverage": "test",
    "covered": "test",
    "guard": "check",
    "guarded": "check",
    "handler": "handle",
    "handling": "handle",
    "validation": "validate",
}
DENIED = {
    "unchecked": "check",
    "unguarded": "check",
    "unhandled": "handle",
    "untested": "test",
    "unvalidated": "validate",
}
ENDINGS = ["ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "s", "e", "y"]


def normalised(title):
    return " ".join(title.lower().split())


def weight(claim):
    """The order of claims: the one that speaks for all comes first. Of equal weight, everything they say counts."""
    return (
        SEVERITIES.index(claim["severity"]),
        -claim["confidence"],
        claim["file"],
        claim["line"],
        claim["title"],
        claim["reviewer"],
        claim["why_it_matters"],
        claim["evidence"],
        claim["suggested_fix"],
        claim["autofix_class"],
        claim["owner"],
        claim["requires_verification"],
        claim["pre_existing"],
    )


def attribute(returns):
    claims = []
    for report_index, answer in enumerate(returns):
        for claim_index, finding in enumerate(answer["findings"]):
            claim = dict(finding)
            claim["reviewer"] = answer["reviewer"]
            claim["voices"] = {answer["reviewer"]: bool(claim["evidence"])}
            claim["origins"] = [(report_index, claim_index)]
            claim["merged"] = []
            claim["trail"] = []
            if answer["reviewer"] == "fast-pass" and claim["confidence"] > 50:
                claim["confidence"] = 50
                claim["trail"].append("capped at 50: a fast pass is not a close look")
            claims.append(claim)
    return claims


def combine(group, why):
    """Merges claims into the one that speaks for all."""
    if len(group) == 1:
        return group[0]
    group = sorted(group, key=weight)
    leader = group[0]
    leader["evidence"] = list(leader["evidence"])
    for other in group[1:]:
        name = other["reviewer"]
        leader["trail"].extend(f"{name}: {entry}" for entry in other["trail"])
        leader["trail"].append(f"merged with the claim of {name} ({WORDS[other['severity']]}){why(other)}")
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
        for reviewer, has_evidence in other["voices"].items():
            leader["voices"][reviewer] = leader["voices"].get(reviewer, False) or has_evidence
        leader["origins"].extend(other["origins"])
        leader["merged"].append(other)
        leader["merged"].extend(other["merged"])
    leader["origins"].sort()
    return leader


def merge_exact(claims):
    groups = {}
    for claim in claims:
        key = (claim["file"].strip().lower(), claim["line"], normalised(claim["title"]))
        groups.setdefault(key, []).append(claim)
    return [combine(group, lambda other: ": same file, line and title") for group in groups.values()]


def tokens(title):
    """Takes a title apart: what is in backticks or written like code is a name, the rest are words."""
    for number, span in enumerate(title.split("`")):
        for chunk in span.split():
            chunk = re.sub(r"^[^\w$]+|[^\w$]+$", "", chunk)
            is_name = number % 2 == 1 or re.search(r"[_$.(\[:<=@#]|[a-z][A-Z]", chunk) is not None
            for text in re.findall(r"[\w$]+" if is_name else r"[\w$']+", chunk):
                yield text, is_name and len(text) > 1


def stem(word):
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def sketch(claim):
    """Reduces a title to what tells defects apart: words, numbers, whether it denies, whether a word occurs twice."""
    own = claim["file"].rsplit("/", 1)[-1].lower().split(".")
    words, numbers, denies = [], set(), False
    for text, is_name in tokens(claim["title"]):
        word = text.lower()
        if word in own:
            continue
        if any(c in "0123456789" for c in word):
            numbers.add(word)
        elif is_name:
            words.append(word)
        elif word in EMPTY:
            continue
        elif word in DENIALS:
            denies = True
        elif word in DENIED:
            denies = True
            words.append(DENIED[word])
        elif word in MEANS:
            words.append(MEANS[word])
        else:
            words.append(stem(word))
    return set(words), numbers, denies, len(set(words)) < len(words)


def is_like(a, b):
    words, numbers, denies, repeats = a
    other_words, other_numbers, other_denies, other_repeats = b
    if numbers != other_numbers or denies != other_denies or repeats or other_repeats:
        return False
    common, all_words = words & other_words, words | other_words
    return (words <= other_words or other_words <= words) and len(common) >= 3 and len(common) * 2 >= len(all_words)


def like_pairs(file):
    """Returns which claims of one file, sorted by line, are close and alike."""
    like = {}
    for later, claim in enumerate(file):
        for earlier in range(later - 1, -1, -1):
            other = file[earlier]
            if claim["line"] - other["line"] > NEAR_LINES:
                break
            if claim["pre_existing"] == other["pre_existing"] and is_like(sketch(claim), sketch(other)):
                like.setdefault(id(claim), []).append(other)
                like.setdefault(id(other), []).append(claim)
    return like


def merge_near(claims):
    files, lines = {}, {}
    for claim in claims:
        place = (claim["file"].strip().lower(), claim["line"])
        lines[place] = lines.get(place, 0) + 1
        files.setdefault(place[0], []).append(claim)
    merged = []
    for name, file in files.items():
        merged.extend(claim for claim in file if lines[name, claim["line"]] > CROWD)
        file = [claim for claim in file if lines[name, claim["line"]] <= CROWD]
        file.sort(key=lambda claim: claim["line"])
        like = like_pairs(file)
        groups, group_of = [], {}
        for claim in sorted(file, key=weight):
            spoken_for = sorted(group_of[id(other)] for other in like.get(id(claim), []) if id(other) in group_of)
            for index in spoken_for:
                if all(not member["voices"].keys() & claim["voices"].keys() for member in groups[index]):
                    groups[index].append(claim)
                    break
            else:
                group_of[id(claim)] = len(groups)
                groups.append([claim])
        merged.extend(combine(group, lambda other: f", which is alike: “{other['title']}”") for group in groups)
    return merged


def promote(finding):
    agreeing = sorted(name for name, has_evidence in finding["voices"].items() if has_evidence and name != "fast-pass")
    finding["promoted"] = len(agreeing) >= 2 and finding["confidence"] in RAISED
    if finding["promoted"]:
        finding["confidence"] = RAISED[finding["confidence"]]
        finding["trail"].append(f"raised to {finding['confidence']}%: {', '.join(agreeing)} agree independently")


def is_suppressed(finding):
    confidence, least = finding["confidence"], 50 if finding["severity"] == "P0" else 75
    if confidence < least:
        finding["trail"].append(f"suppressed: {confidence}% is below {least}%")
        return True
    if confidence < 75:
        finding["trail"].append(f"kept at {confidence}%: a Blocker is reported from 50% on")
    return False


def fingerprint(*parts):
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode()
        digest.update(struct.pack("<Q", len(encoded)))
        digest.update(encoded)
    return digest.hexdigest()[:32]


def merge(returns):
    findings = merge_near(merge_exact(attribute(returns)))
    reported, suppressed, pre_existing, counts = [], [], [], {}
    for finding in findings:
        promote(finding)
        if is_suppressed(finding):
            suppressed.append(finding)
            counts[finding["confidence"]] = counts.get(finding["confidence"], 0) + 1
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
            domain, file = finding["reviewer"], finding["file"]
            finding["reviewers"] = [domain] + sorted(name for name in finding["voices"] if name != domain)
            finding["independent_reviewers"] = sorted(name for name in finding["voices"] if name != "fast-pass")
            name = f"{domain}-{hashlib.sha256(file.encode()).hexdigest()[:8]}-{finding['line']}"
            seen[name] = seen.get(name, 0) + 1
            finding["id"] = name if seen[name] == 1 else f"{name}~{seen[name]}"
            code = "".join("\n".join(finding["evidence"]).split())
            finding["fingerprint"] = fingerprint(domain, normalised(finding["title"]), code, "".join(file.split()))
    return reported, suppressed, pre_existing, counts


def digest(lists):
    told = hashlib.sha256()
    for finding in (finding for group in lists for finding in group):
        facts = [
            str(finding["number"]),
            finding["id"],
            finding["fingerprint"],
            str(finding["confidence"]),
            finding["autofix_class"],
            finding["owner"],
            ",".join(finding["reviewers"]),
            ",".join(finding["independent_reviewers"]),
            ",".join(f"{report}.{claim}" for report, claim in finding["origins"]),
            str(len(finding["merged"])),
            *finding["trail"],
        ]
        told.update(("\t".join(facts) + "\n").encode())
    return told.hexdigest()[:16]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        returns = json.load(file)
    start = time.perf_counter()
    reported, suppressed, pre_existing, _ = merge(returns)
    seconds = time.perf_counter() - start
    print(seconds, len(reported) + len(pre_existing), len(suppressed), digest([reported, suppressed, pre_existing]))


main()
