//! Every reason for which something is refused, rejected or remarked upon: one stable code each, in one table.
//!
//! A code never changes its meaning. What it says for people may.

macro_rules! reasons {
    ($($variant:ident = $code:literal, $what:literal, $help:literal;)+) => {
        /// A stable reason.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason { $(#[doc = $what] $variant,)+ }

        impl Reason {
            /// Every reason, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// Returns the stable code.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)+ }
            }

            /// Says in one line what is wrong.
            pub const fn description(self) -> &'static str {
                match self { $(Self::$variant => $what,)+ }
            }

            /// Says how to mend it.
            pub const fn help(self) -> &'static str {
                match self { $(Self::$variant => $help,)+ }
            }
        }
    };
}

reasons! {
    // The document as a whole.
    UnreadableFile = "unreadable-file", "The file could not be read.", "check that the path names a file and that it may be read";
    EmptyDocument = "empty-document", "The document is empty or blank.", "a reviewer that found nothing says so in its format; an empty answer says nothing";
    UnrecognisedFormat = "unrecognised-format", "The document looks like none of the known formats.", "name the format with `--from`; `jury formats` lists them";
    NotUtf8 = "not-utf8", "The document is not UTF-8 text.", "save the document as UTF-8";
    ByteOrderMark = "byte-order-mark", "The document starts with a byte order mark.", "save the document as UTF-8 without a byte order mark";
    LimitBytes = "limit-bytes", "The document is larger than a reader takes.", "split the report, or have the reviewer report less";
    LimitLine = "limit-line", "A line is longer than a reader takes.", "break the line";
    LimitDepth = "limit-depth", "The document is nested deeper than a reader takes.", "flatten the document; no contract needs such depth";
    LimitAliases = "limit-aliases", "The YAML document has more anchors, aliases or nodes than a reader takes.", "write the values out";
    LimitClaims = "limit-claims", "The document has more findings than a reader takes.", "split the report";
    // Syntax.
    JsonSyntax = "json-syntax", "The document is not JSON.", "the document must be exactly one JSON value (RFC 8259)";
    YamlSyntax = "yaml-syntax", "The block is not YAML.", "quote list items that contain `: ` or start with a special character";
    KdlSyntax = "kdl-syntax", "The document is not KDL v2.", "strings are written in double quotes, booleans as `#true` and `#false`";
    XmlSyntax = "xml-syntax", "The document is not XML, or has a document type declaration.", "the document must be one well-formed XML 1.0 document without a `<!DOCTYPE>`";
    DuplicateKey = "duplicate-key", "A name occurs twice in one object, so its value is ambiguous.", "keep one of the two";
    // Shape.
    WrongType = "wrong-type", "A value is of another type than the contract says.", "write the value in the type that the message names";
    MissingField = "missing-field", "A field that the contract requires is not there.", "add the field";
    UnknownField = "unknown-field", "A field is not in the contract.", "remove the field; consumers drop what the contract does not name";
    UnknownToken = "unknown-token", "A word is outside the closed set of the contract.", "use one of the words that the message lists, letter for letter";
    // Values.
    BadReviewId = "bad-review-id", "A review id is not 8 lower-case hexadecimal digits.", "use the first 8 hexadecimal digits of a hash";
    BadTimestamp = "bad-timestamp", "A timestamp is not an ISO 8601 date and time.", "write it as in `2026-02-16T14:30:00Z`";
    BadCommitSha = "bad-commit-sha", "A commit is not named by 40 lower-case hexadecimal digits.", "use the output of `git rev-parse`";
    BadPath = "bad-path", "A path is not one inside the repository.", "write it relative to the repository root, with forward slashes, without `.` or `..`";
    BadLine = "bad-line", "A line number or line range is not one.", "lines count from 1, and a range never ends before it starts";
    BadConfidence = "bad-confidence", "A confidence is outside what the contract allows.", "000 takes 0.50 to 1.00; 004 takes 0, 25, 50, 75 or 100; 001 takes high, med or low";
    BadCount = "bad-count", "A count is not a whole number from 0.", "write the number of findings";
    BadName = "bad-name", "A reviewer's name is blank, too long, or has control characters.", "use a short name such as `security`";
    Blank = "blank", "A text that has to say something is blank.", "say it";
    TooLong = "too-long", "A text is longer than the contract allows.", "shorten it; detail belongs in the reason or the evidence";
    NotOneLine = "not-one-line", "A text that has to be one line has a line break.", "put it on one line";
    ControlCharacter = "control-character", "A text has a control character, which no contract of one line has a place for.", "remove it";
    BadReportPath = "bad-report-path", "The report path does not go with the mode.", "a quick check has the empty path, any other mode a relative one";
    // What has to agree.
    IdMismatch = "id-mismatch", "A finding's id is not the one its domain, file and lines give.", "the id is `{domain}-{first 8 hex of SHA-256(file)}-{lineRange or 0}`, with `~2`, `~3`, … for findings that share it";
    IdSequence = "id-sequence", "Finding ids are not F001, F002, … in sequence.", "number the findings in order";
    CountMismatch = "count-mismatch", "A count does not agree with the findings.", "count again, findings that no longer stand aside";
    VerdictContradiction = "verdict-contradiction", "The verdict contradicts the findings.", "state the verdict that the findings give, or the findings that the verdict rests on";
    ReasonRequired = "reason-required", "A Critical or High finding gives no reason.", "say what breaks";
    EvidenceRequired = "evidence-required", "A finding gives no evidence.", "quote the code or state the observation";
    // The text contracts.
    FenceMissing = "fence-missing", "The YAML block is not fenced.", "put the block between a line ```yaml and a line ```";
    FenceOpen = "fence-open", "A fenced block is never closed.", "close the block with a line of as many backticks as opened it";
    TextAround = "text-around", "There is text around the block.", "the block is the whole message; move prose to `evidence_path`";
    SeveralBlocks = "several-blocks", "There is more than one block.", "a reviewer emits exactly one block";
    TooManyLines = "too-many-lines", "The text has more lines than the contract allows.", "collapse related findings into one line with a count, or move detail to the evidence file";
    FixedLine = "fixed-line", "A line whose content is fixed by the contract is something else.", "write the line that the message names";
    LineOrder = "line-order", "Lines stand in another order than the contract's.", "blockers first, then advisories, then evidence";
    UnexpectedLine = "unexpected-line", "A line is none that the contract knows.", "remove it, or turn it into a comment with `#`";
    MarkdownShape = "markdown-shape", "The Markdown does not follow the report template.", "compare with the template in the documentation of `review-md`";
    BadReference = "bad-reference", "A reference points at nothing in the document, or at something else than it names.", "an index counts from 0 within the array that the contract names; ids that stand beside it must agree";
    ExternalContent = "external-content", "Part of the document lies elsewhere, and nothing outside a document is ever read.", "have the tool write one self-contained file";
    NewerVersion = "newer-version", "The document says it is of a version this program does not know.", "read it with a newer version of jury";
    // Repairs: what intake read although it was not written so, and what it changed to read it.
    SynonymField = "synonym-field", "A field goes by another name than the contract's.", "use the contract's name for the field";
    SynonymWord = "synonym-word", "A word is none of the contract's, but has one known meaning.", "use the contract's word";
    CaseFolded = "case-folded", "A word is written in another case than the contract's.", "write the word as the contract does";
    ConfidenceRescaled = "confidence-rescaled", "A confidence is given on another scale or in words.", "give a whole percent";
    LocationSplit = "location-split", "A place is written in one text, as a range, or as several places.", "give the file and the line as separate fields";
    PathNormalised = "path-normalised", "A path is not in its shortest form with forward slashes.", "write it relative to the repository root, with forward slashes";
    SeverityFromContext = "severity-from-context", "A finding's severity stands in a heading, a key or a result, not in the finding.", "state the severity in each finding";
    TitleFromText = "title-from-text", "A finding has no title, so the first sentence of its text stands for one.", "give each finding a title";
    TextFromStructure = "text-from-structure", "A value that should be a text is a list or an object.", "write a text";
    StatusTaken = "status-taken", "A finding is said to be settled, in words that are not the contract's.", "use open, fixed or wont_fix";
    ValueDropped = "value-dropped", "A value that a finding can do without cannot be used and is left out.", "correct the value that the message shows";
    VerdictOverruled = "verdict-overruled", "The verdict is better than the findings, which stand.", "state the verdict that the findings give";
    FenceRemoved = "fence-removed", "The document stands in a fenced block.", "print the document alone";
    ProseRemoved = "prose-removed", "There is prose around the document.", "print the document alone";
    BlockRepeated = "block-repeated", "The same document stands there more than once.", "print the document once";
    TrailingComma = "trailing-comma", "A comma stands where nothing follows, or is missing.", "separate values by exactly one comma";
    CommentRemoved = "comment-removed", "There is a comment in the JSON.", "JSON has no comments";
    QuoteMended = "quote-mended", "A string or a name is quoted otherwise than JSON wants it, or has a raw quote inside.", "quote with `\"` and write quotes inside as `\\\"`";
    NewlineInString = "newline-in-string", "A string has a raw line break or control character.", "write it as `\\n`";
    EscapeMended = "escape-mended", "A string has an escape that JSON does not know.", "write a backslash as `\\\\`";
    LiteralMended = "literal-mended", "A value is a literal of another language.", "JSON has true, false, null and finite numbers";
    BracketMended = "bracket-mended", "A closing bracket is missing or of the wrong kind.", "close every bracket";
    DoubleEncoded = "double-encoded", "The document is a JSON string that holds the document.", "print the document itself";
    JsonLines = "json-lines", "The document is one JSON value per line.", "print one JSON document";
    PartsJoined = "parts-joined", "The findings stand in several blocks, each with a part of them.", "print one document with all findings";
    TableRead = "table-read", "The findings are rows or columns of a table, or elements of a markup.", "write one object for each finding";
    AssignmentsRead = "assignments-read", "The findings are TOML, sections of settings, or `name=value` pairs.", "print one JSON document";
    LinesStripped = "lines-stripped", "Something stands before each line, or the text is encoded as a whole, and was taken off.", "print the document as it is";
    YamlMended = "yaml-mended", "The YAML has tabs, shifted lines or values that should be quoted.", "quote values that contain `: ` or start with a special character, and indent with blanks";
    EnvelopeUnwrapped = "envelope-unwrapped", "The report stands in the result envelope of an agent CLI.", "nothing: the envelope is taken off";
    ProseRead = "prose-read", "The report is Markdown or prose; its headings, lists and tables were read.", "emit one of the formats that `jury formats` lists";
    // Gaps: what was asked for and not obtained.
    NoFindingsStated = "no-findings-stated", "Neither findings nor their absence are stated.", "a reviewer that found nothing says so in so many words";
    NotAReport = "not-a-report", "The text is an error page or a message of the service, not a report.", "run the reviewer again";
    EnvelopeFailed = "envelope-failed", "The agent CLI says that its run failed.", "look at the message, and run the reviewer again";
    NoFinalMessage = "no-final-message", "The agent CLI's output has no final message.", "run the reviewer again";
    BlocksDisagree = "blocks-disagree", "There are several documents that do not say the same.", "print exactly one document, last";
    TailCutOff = "tail-cut-off", "The text ends before the document does.", "raise the reviewer's output limit, or have it report less";
    Accounting = "accounting", "Claims present, understood and rejected do not add up.", "report this: it is a defect of jury";
    // Remarks.
    NotAClaim = "not-a-claim", "An entry says that there is no defect, or that one is gone, so it claims nothing.", "nothing has to be done; it is counted apart so that every entry is accounted for";
    RunFailed = "run-failed", "A tool did not run to a good end, so what it did not report may still be there.", "run the tool again; until then its part of the review is missing";
    RelatedLeftOut = "related-left-out", "A related place of a finding was left out: it lies outside the repository, or there are too many.", "the finding itself stands; see the document for all of its places";
    DeprecatedFormat = "deprecated-format", "The document is in a format that is still read but no longer written.", "emit the YAML verdict block (`verdict-yaml`) instead";
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_unique_kebab_case() {
        let codes: BTreeSet<&str> = Reason::ALL.iter().map(|reason| reason.code()).collect();
        assert_eq!(codes.len(), Reason::ALL.len());
        assert!(
            codes.iter().all(|code| code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
        );
    }
}
