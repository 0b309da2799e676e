//! Weaknesses under several names. In: two CWEs. Out: whether they name one weakness, for the purpose of judging a finding
//! on a given line. Deliberately not here: the hierarchy of the enumeration, which joins far more than a reviewer would.

/// CWEs that tools and test suites use for the same defect, with the reason. A CWE may stand in several families; what is
/// alike is not handed on from one to the other.
const FAMILIES: &[&[u32]] = &[
    // A command is built from input; 77 is the parent, 88 the arguments alone.
    &[77, 78, 88],
    // SQL and query languages like it; 564 is Hibernate, 943 NoSQL.
    &[89, 564, 943],
    // Input is written into a page; 80 to 87 say where in the page, 116 that escaping is missing.
    &[79, 80, 81, 82, 83, 84, 85, 86, 87, 116],
    // Input chooses a file; 23, 29, 35 and 36 are spellings of the path, 73 is its parent, 98 is PHP's include, and 706
    // any name that leads elsewhere than meant.
    &[22, 23, 29, 35, 36, 73, 98, 706],
    // Input becomes code; 95 is eval, 96 and 97 are files, 470 is reflection, 624 a pattern with code, 917 and 1336
    // are expressions and templates.
    &[94, 95, 96, 97, 470, 624, 917, 1336],
    // Text that a shell, or a step of a workflow, runs: a command to some (78), code to others (94, `eval` 95).
    &[78, 94, 95],
    // A workflow takes commands from what a step prints; 749 calls it a dangerous method that is exposed.
    &[77, 749],
    // XPath, and XQuery as its sibling; 91 is the parent of both.
    &[91, 643, 652],
    // XML from outside; suites file entity expansion and DTDs under any of them.
    &[91, 611, 776, 827],
    // Line breaks in headers, logs and protocols; 93 is the parent of 113, 117 says the same of logs, 644 of scripts
    // in headers.
    &[93, 113, 117, 644],
    // Weak cipher, mode, key, padding, salt, initialisation vector or hash; which of them is a matter of the tool, and
    // 310 is the category.
    &[310, 323, 325, 326, 327, 328, 329, 759, 760, 780, 916, 1204],
    // Guessable random values.
    &[330, 331, 332, 335, 336, 337, 338, 340],
    // Credentials that can be read or guessed where they are kept; 258 and 259 are passwords, 321 is a key, 540 the
    // source file.
    &[256, 257, 258, 259, 260, 312, 313, 321, 522, 540, 547, 798, 1391, 1392],
    // A password that is empty: 258 says it of files, 521 that nobody asked for a better one, 798 that it is written down.
    &[258, 259, 521, 798],
    // Input chooses the file of the server that an answer is made of: a path to some (22), a file that others get at to others.
    &[22, 552],
    // Requests that input steers; 441 is the parent.
    &[441, 918],
    // Input makes the program work too long; 730 is the old name of 1333, 185 of a wrong pattern, 400 is the parent,
    // 409 and 770 are its other children.
    &[185, 400, 409, 730, 770, 1333],
    // The other side of a connection is not checked; 322 says it of host keys, 297 of names, 299 of revocation.
    &[295, 296, 297, 298, 299, 300, 322, 599],
    // A signature is not checked, of a JSON web token above all; some file the algorithm `none` under 327.
    &[287, 290, 327, 345, 347],
    // Nobody is asked who they are: 306 says it of what matters most, 287 is the parent.
    &[287, 306],
    // Sent in clear text.
    &[311, 319, 523],
    // Flags of a cookie; 315 is what it holds, and some file a session cookie without flags as a credential, 522.
    &[315, 522, 614, 1004, 1275],
    // Origins that are let in; 183 is the list, 1385 the web socket.
    &[183, 346, 942, 1385],
    // Temporary files.
    &[377, 378, 379],
    // More rights than needed, of files (276, 732) and of processes and containers (250, 266, 269).
    &[250, 266, 269, 275, 276, 277, 278, 279, 281, 732],
    // What a container may do to its host: its rights (250, 269), or what of the host it can reach (668).
    &[250, 269, 668],
    // Source that reads otherwise than it runs: 1007 says it of look-alikes, 838 of the encoding.
    &[838, 1007],
    // Time or other differences that tell a secret. 697, a wrong comparison of any kind, is left out: `==` for `===`
    // is no leak of time.
    &[203, 208, 385],
    // Input chooses the properties that are set; 1321 is the prototype's case.
    &[471, 915, 1321],
    // Debugging in production; the interactive console makes some file it under 94.
    &[11, 94, 215, 489],
    // Errors and versions shown to strangers.
    &[200, 209, 497],
    // Listening on every interface.
    &[200, 605, 668, 1327],
    // Foreign code that is not pinned or checked; 353 is the missing digest, 506 what comes of it.
    &[353, 494, 506, 829, 830, 1357],
    // Code of strangers that a workflow checks out and runs; 913 is the number for code that is managed while it runs.
    &[829, 913],
    // Races between check and use.
    &[362, 366, 367],
    // Errors that nobody sees; 396 says it of the handler that takes them all, 1069 of the one that is empty.
    &[252, 390, 391, 392, 396, 754, 755, 1069],
    // A secret that can be read where it was written down: 532 says it of a log, 312 and 313 of any place.
    &[312, 313, 532],
    // A condition that has one answer; 1025 says that the two things compared are the wrong ones.
    &[570, 571, 1025],
    // Two things are compared by identity, or in another way that is not their value's; 597 says it of texts.
    &[595, 597, 697],
    // Code that never runs (561) or that changes nothing (563 says it of an assignment, 1164 of any line).
    &[561, 563, 1164],
    // A call that is given what it does not take; 683 is the order, 685 the number, 686 the type, 687 the value.
    &[628, 683, 685, 686, 687, 688],
    // A lock that does not guard, or that is never given back; 833 is what comes of it, 820 and 821 that it is missing or wrong.
    &[667, 764, 820, 821, 832, 833],
    // Memory that nobody has written; 824 says it of a pointer.
    &[457, 824, 908],
    // A value that is taken for one of another type; 188 and 588 say it of memory, 704 is the parent.
    &[188, 588, 704, 843],
    // A loop or a recursion without an end; 834 is the parent.
    &[674, 834, 835],
    // What was opened is not closed; 401 says it of memory, 775 of files.
    &[401, 404, 772, 775],
    // The wrong operator: 481 is `=` for `==`, 482 the other way round, 480 the parent of both.
    &[480, 481, 482],
    // A pattern that lets through more or less than was meant; 777 is the missing anchor.
    &[185, 186, 625, 777],
    // A number that does not fit where it goes: 190 in adding, 681 in converting, 682 is the parent of both.
    &[190, 191, 681, 682],
];

/// Pillars and categories, which some suites write where they do not know better: they name no weakness, so anything
/// that is said of the line counts.
const GENERAL: &[u32] = &[16, 19, 20, 254, 264, 664, 693, 703, 707, 710];

/// The parent of all injections: any of its families is one.
const INJECTION: u32 = 74;
const INJECTIONS: &[u32] = &[78, 79, 89, 90, 91, 93, 94, 643];

/// Tells whether a finding of one CWE says what a row of another means.
pub(crate) fn are_alike(one: u32, other: u32) -> bool {
    if one == other || GENERAL.contains(&one) || GENERAL.contains(&other) {
        return true;
    }
    if one == INJECTION || other == INJECTION {
        return INJECTIONS.iter().any(|child| are_alike(*child, if one == INJECTION { other } else { one }));
    }
    FAMILIES.iter().any(|family| family.contains(&one) && family.contains(&other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_weakness_has_several_names() {
        for (one, other) in [
            (78, 77),
            (79, 116),
            (22, 73),
            (95, 1336),
            (78, 95),
            (829, 913),
            (328, 916),
            (798, 321),
            (347, 345),
            (614, 522),
            (532, 312),
            (570, 571),
            (561, 1164),
            (628, 685),
            (401, 772),
            (480, 481),
            (185, 777),
            (287, 306),
        ] {
            assert!(are_alike(one, other) && are_alike(other, one), "{one} {other}");
        }
    }

    #[test]
    fn what_is_another_weakness_stays_one() {
        for (one, other) in [
            (78, 89),
            (79, 89),
            (22, 78),
            (601, 918),
            (502, 94),
            (90, 643),
            (208, 697),
            (330, 327),
            (798, 614),
            (532, 798),
            (570, 561),
            (667, 400),
            (306, 347),
        ] {
            assert!(!are_alike(one, other) && !are_alike(other, one), "{one} {other}");
        }
    }

    #[test]
    fn names_that_say_nothing_are_like_anything() {
        assert!(are_alike(20, 502) && are_alike(89, 20));
        assert!(are_alike(74, 564) && are_alike(88, 74) && !are_alike(74, 502));
    }

    #[test]
    fn every_family_is_in_order_and_names_weaknesses() {
        for family in FAMILIES {
            assert!(family.len() > 1 && family.is_sorted_by(|one, other| one < other), "{family:?}");
            assert!(!family.iter().any(|member| GENERAL.contains(member) || *member == INJECTION), "{family:?}");
        }
    }
}
