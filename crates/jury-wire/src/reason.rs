//! Every reason for which something is refused, rejected or remarked upon: one stable code each, in one table.
//!
//! A code never changes its meaning. Its text for people may.

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

            /// Returns the error in one line.
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
    UnreadableFile = "unreadable-file", "The file could not be read.", "check that the path is a readable file";
    EmptyDocument = "empty-document", "The document is empty or blank.", "state the absence of findings in the format; an empty answer does not count";
    UnrecognisedFormat = "unrecognised-format", "The document matches no known format.", "set the format with `--from`; `jury formats` lists them";
    NotUtf8 = "not-utf8", "The document is not UTF-8 text.", "save the document as UTF-8";
    ByteOrderMark = "byte-order-mark", "The document starts with a byte order mark.", "save the document as UTF-8 without a byte order mark";
    LimitBytes = "limit-bytes", "The document exceeds the size limit.", "split the report, or have the reviewer report less";
    LimitLine = "limit-line", "A line exceeds the length limit.", "break the line";
    LimitDepth = "limit-depth", "The document exceeds the nesting limit.", "flatten the document; no contract needs such depth";
    LimitAliases = "limit-aliases", "The YAML document exceeds the limit of anchors, aliases or nodes.", "write the values out";
    LimitClaims = "limit-claims", "The document exceeds the limit of findings.", "split the report";
    // Syntax.
    JsonSyntax = "json-syntax", "The document is not JSON.", "the document must be exactly one JSON value (RFC 8259)";
    YamlSyntax = "yaml-syntax", "The block is not YAML.", "quote list items that contain `: ` or start with a special character";
    KdlSyntax = "kdl-syntax", "The document is not KDL v2.", "strings are written in double quotes, booleans as `#true` and `#false`";
    XmlSyntax = "xml-syntax", "The document is not XML, or has a document type declaration.", "the document must be one well-formed XML 1.0 document without a `<!DOCTYPE>`";
    DuplicateKey = "duplicate-key", "A name occurs twice in one object, so its value is ambiguous.", "keep one of the two";
    // Shape.
    WrongType = "wrong-type", "A value has the wrong type.", "use the type in the message";
    MissingField = "missing-field", "A required field is missing.", "add the field";
    UnknownField = "unknown-field", "A field is not part of the contract.", "remove the field; consumers drop unknown fields";
    UnknownToken = "unknown-token", "A word is not one of the allowed words.", "use one of the words in the message, letter for letter";
    // Values.
    BadReviewId = "bad-review-id", "A review id is not 8 lower-case hexadecimal digits.", "use the first 8 hexadecimal digits of a hash";
    BadTimestamp = "bad-timestamp", "A timestamp is not an ISO 8601 date and time.", "write it as in `2026-02-16T14:30:00Z`";
    BadCommitSha = "bad-commit-sha", "A commit is not 40 lower-case hexadecimal digits.", "use the output of `git rev-parse`";
    BadPath = "bad-path", "A path is not inside the repository.", "write it relative to the repository root, with forward slashes, without `.` or `..`";
    BadLine = "bad-line", "A line number or line range is invalid.", "lines count from 1, and a range never ends before it starts";
    BadConfidence = "bad-confidence", "A confidence is outside the allowed values.", "000 takes 0.50 to 1.00; 004 takes 0, 25, 50, 75 or 100; 001 takes high, med or low";
    BadCount = "bad-count", "A count is not a whole number from 0.", "write the number of findings";
    BadName = "bad-name", "A reviewer's name is blank, too long, or has control characters.", "use a short name such as `security`";
    Blank = "blank", "A required text is blank.", "fill it in";
    TooLong = "too-long", "A text is longer than the contract allows.", "shorten it; detail belongs in the reason or the evidence";
    NotOneLine = "not-one-line", "A text that has to be one line has a line break.", "put it on one line";
    ControlCharacter = "control-character", "A one-line text has a control character.", "remove it";
    BadReportPath = "bad-report-path", "The report path does not match the mode.", "a quick check has the empty path, any other mode a relative one";
    // Contradictions.
    IdMismatch = "id-mismatch", "A finding's id does not match its domain, file and lines.", "the id is `{domain}-{first 8 hex of SHA-256(file)}-{lineRange or 0}`, with `~2`, `~3`, … for findings that share it";
    IdSequence = "id-sequence", "Finding ids are not F001, F002, … in sequence.", "number the findings in order";
    CountMismatch = "count-mismatch", "A count does not agree with the findings.", "count again, without settled findings";
    VerdictContradiction = "verdict-contradiction", "The verdict contradicts the findings.", "make the verdict and the findings agree";
    ReasonRequired = "reason-required", "A Critical or High finding gives no reason.", "state the consequence";
    EvidenceRequired = "evidence-required", "A finding gives no evidence.", "quote the code or state the observation";
    // The text contracts.
    FenceMissing = "fence-missing", "The YAML block is not fenced.", "put the block between a line ```yaml and a line ```";
    FenceOpen = "fence-open", "A fenced block is never closed.", "close the block with a line of as many backticks as opened it";
    TextAround = "text-around", "There is text around the block.", "the block is the whole message; move prose to `evidence_path`";
    SeveralBlocks = "several-blocks", "There is more than one block.", "a reviewer emits exactly one block";
    TooManyLines = "too-many-lines", "The text has more lines than the contract allows.", "collapse related findings into one line with a count, or move detail to the evidence file";
    FixedLine = "fixed-line", "A fixed line of the contract has other content.", "write the line in the message";
    LineOrder = "line-order", "Lines are in the wrong order.", "blockers first, then advisories, then evidence";
    UnexpectedLine = "unexpected-line", "A line is not part of the contract.", "remove it, or turn it into a comment with `#`";
    MarkdownShape = "markdown-shape", "The Markdown does not follow the report template.", "compare with the template in the documentation of `review-md`";
    BadReference = "bad-reference", "A reference has no target in the document, or the wrong one.", "an index counts from 0 within the array of the contract; an id beside it must agree";
    ExternalContent = "external-content", "Part of the document is in another file, which is never read.", "have the tool write one self-contained file";
    NewerVersion = "newer-version", "The document has an unknown, newer version.", "read it with a newer version of jury";
    // Repairs: deviations that intake read all the same, and its changes.
    SynonymField = "synonym-field", "A field has another name than in the contract.", "use the contract's name for the field";
    SynonymWord = "synonym-word", "A word is a known synonym of a word of the contract.", "use the contract's word";
    CaseFolded = "case-folded", "A word has another case than in the contract.", "use the case of the contract";
    ConfidenceRescaled = "confidence-rescaled", "A confidence is given on another scale or in words.", "give a whole percent";
    LocationSplit = "location-split", "A place is written in one text, as a range, or as several places.", "give the file and the line as separate fields";
    PathNormalised = "path-normalised", "A path is not in its shortest form with forward slashes.", "write it relative to the repository root, with forward slashes";
    SeverityFromContext = "severity-from-context", "A finding's severity is in a heading, a key or a result, not in the finding.", "state the severity in each finding";
    TitleFromText = "title-from-text", "A finding has no title; the first sentence of its text is used.", "give each finding a title";
    TextFromStructure = "text-from-structure", "A value that should be a text is a list or an object.", "write a text";
    StatusTaken = "status-taken", "A finding has a status in words outside the contract.", "use open, fixed or wont_fix";
    ValueDropped = "value-dropped", "An optional value is invalid and was dropped.", "correct the value in the message";
    VerdictOverruled = "verdict-overruled", "The verdict is better than the findings; the findings count.", "state the verdict that the findings give";
    FenceRemoved = "fence-removed", "The document is in a fenced block.", "print the document alone";
    ProseRemoved = "prose-removed", "There is prose around the document.", "print the document alone";
    BlockRepeated = "block-repeated", "The document is repeated.", "print the document once";
    TrailingComma = "trailing-comma", "A comma is superfluous or missing.", "separate values by exactly one comma";
    CommentRemoved = "comment-removed", "There is a comment in the JSON.", "JSON has no comments";
    QuoteMended = "quote-mended", "A string or a name has invalid quotes for JSON, or a raw quote inside.", "quote with `\"` and write quotes inside as `\\\"`";
    NewlineInString = "newline-in-string", "A string has a raw line break or control character.", "write it as `\\n`";
    EscapeMended = "escape-mended", "A string has an escape that is not JSON.", "write a backslash as `\\\\`";
    LiteralMended = "literal-mended", "A value is a literal of another language.", "JSON has true, false, null and finite numbers";
    BracketMended = "bracket-mended", "A closing bracket is missing or of the wrong kind.", "close every bracket";
    DoubleEncoded = "double-encoded", "The document is a JSON string that holds the document.", "print the document itself";
    JsonLines = "json-lines", "The document is one JSON value per line.", "print one JSON document";
    PartsJoined = "parts-joined", "The findings are spread over several blocks.", "print one document with all findings";
    TableRead = "table-read", "The findings are rows or columns of a table, or elements of a markup.", "write one object for each finding";
    AssignmentsRead = "assignments-read", "The findings are TOML, sections of settings, or `name=value` pairs.", "print one JSON document";
    LinesStripped = "lines-stripped", "Each line has a prefix, or the whole text is encoded; both were removed.", "print the plain document";
    YamlMended = "yaml-mended", "The YAML has tabs, shifted lines or values that should be quoted.", "quote values that contain `: ` or start with a special character, and indent with blanks";
    EnvelopeUnwrapped = "envelope-unwrapped", "The report is in the result envelope of an agent CLI.", "no action needed: the envelope was removed";
    ProseRead = "prose-read", "The report is Markdown or prose; its headings, lists and tables were read.", "emit one of the formats that `jury formats` lists";
    // Gaps: parts that were asked for and not obtained.
    GlyphsFolded = "glyphs-folded", "Letters that look like others, or are not seen at all, were read as they look.", "write plain letters";
    UnreadText = "unread-text", "A text that could be a finding was not read as one.", "state its severity in a known word, or state in the report that it is no finding";
    SeverityAssumed = "severity-assumed", "A finding without a severity, in a report that states that nothing blocks, counts as Medium.", "state the severity in each finding";
    NoFindingsStated = "no-findings-stated", "The text states neither findings nor their absence.", "state the absence of findings explicitly";
    NotAReport = "not-a-report", "The text is an error page or a message of the service, not a report.", "run the reviewer again";
    EnvelopeFailed = "envelope-failed", "The agent CLI reports a failed run.", "read the message, and run the reviewer again";
    NoFinalMessage = "no-final-message", "The agent CLI's output has no final message.", "run the reviewer again";
    BlocksDisagree = "blocks-disagree", "There are several documents that disagree.", "print exactly one document, last";
    TailCutOff = "tail-cut-off", "The text ends before the document does.", "raise the reviewer's output limit, or have it report less";
    Accounting = "accounting", "Claims present, understood and rejected do not add up.", "report this: it is a defect of jury";
    // Remarks.
    NotAClaim = "not-a-claim", "An entry states that there is no defect, or that one is gone; it is not a finding.", "no action needed; it is counted separately, so that every entry is accounted for";
    RunFailed = "run-failed", "A tool did not finish, so findings may be missing.", "run the tool again; until then its part of the review is missing";
    RelatedLeftOut = "related-left-out", "A related location of a finding was dropped: it is outside the repository, or there are too many.", "the finding itself counts; see the document for all of its locations";
    // Decisions of people that do not count.
    AcceptanceDamaged = "acceptance-damaged", "An acceptance is truncated, unreadable, or not in canonical form.", "fetch it again with `jury sync`, or have it signed again";
    AcceptanceAltered = "acceptance-altered", "The object of an acceptance is not the one that its ref names.", "delete the ref, then run `jury sync`";
    AcceptanceNewer = "acceptance-newer", "An acceptance has an unknown, newer version.", "read it with a newer version of jury";
    AcceptanceForeign = "acceptance-foreign", "An acceptance is for another repository.", "run `jury accept` in this repository";
    AcceptanceOtherContent = "acceptance-other-content", "An acceptance is for other content at the same place.", "look at the change again, then run `jury accept`";
    AcceptanceExpired = "acceptance-expired", "An acceptance has expired.", "decide again with `jury accept`, with a later day";
    AcceptanceSoftwareKey = "acceptance-software-key", "The key of an acceptance does not require a touch, so a program could have used it.", "sign with a hardware key (`ssh-keygen -t ed25519-sk`), or set `people.software_keys` on the base";
    AcceptanceSameKey = "acceptance-same-key", "The key of an acceptance has accepted the same before; a key counts once.", "have another person accept it";
    AcceptanceByAuthor = "acceptance-by-author", "An acceptance is by somebody who wrote the change.", "have another person accept it (`people.not_author` of the base)";
    AcceptanceUnsigned = "acceptance-unsigned", "A confirmation on this machine has no signature.", "list keys in `.jury/signers` of the base, or set `people.unsigned` there";
    // Decisions on a forge.
    ApprovalByAuthor = "approval-by-author", "An approval is by whoever opened the pull request.", "have another person approve it";
    ApprovalByBot = "approval-by-bot", "An approval is by a bot.", "have a person approve it";
    ApprovalUnnamed = "approval-unnamed", "An approval is by somebody whom the policy of the base does not name.", "have it approved by somebody whom `people.approvers` names, or change that on the base";
    ApprovalWithdrawn = "approval-withdrawn", "An approval was dismissed, or its author asked for changes since.", "have it approved again";
    ApprovalOtherCommit = "approval-other-commit", "An approval is of another commit than the one that was judged.", "run `jury publish` for this commit, then have it approved again";
    ApprovalTooEarly = "approval-too-early", "An approval was given before Jury's summary of this commit was there.", "run `jury publish`, then have it approved again";
    AcceptCommentEdited = "accept-comment-edited", "A comment that accepts a finding was edited.", "write a new comment";
    AcceptCommentUnclear = "accept-comment-unclear", "A comment that accepts a finding does not name it, the tree and a reason.", "write `/jury accept ID@TREE REASON`, with the tree of the summary";
    DeprecatedFormat = "deprecated-format", "The document is in a deprecated format, which is only read.", "emit the YAML verdict block (`verdict-yaml`) instead";
    // Signatures.
    SignatureTooLong = "signature-too-long", "A signature exceeds the size limit.", "sign again with `jury`";
    SignatureShape = "signature-shape", "A signature is not an SSHSIG signature.", "sign again with `jury`, or with `ssh-keygen -Y sign`";
    SignatureNamespace = "signature-namespace", "A signature was made for another purpose.", "sign again; a signature counts in the namespace that it was made for";
    SignatureKeyKind = "signature-key-kind", "A key or a signature is of a kind that is not supported.", "use an Ed25519, ECDSA (P-256, P-384), RSA or hardware (`sk-`) key";
    SignatureMismatch = "signature-mismatch", "A signature is not one of this content by this key.", "sign again; the content or the signature was altered";
    SignerUnlisted = "signer-unlisted", "The base does not list the key of a signature.", "add the key to `.jury/signers`, and merge that first";
    SignerNamespace = "signer-namespace", "The base lists the key of a signature for other purposes.", "add the namespace to the key's line in `.jury/signers`, and merge that first";
    SignerNotYet = "signer-not-yet", "The key of a signature, or its certificate, is not valid yet.", "compare `valid-after` in `.jury/signers` with the clock";
    SignerExpired = "signer-expired", "The key of a signature, or its certificate, is no longer valid.", "sign again with a key that is valid";
    SignerCertificate = "signer-certificate", "The certificate of a key is invalid.", "have the authority sign the key again, for a user and with its names";
    SignerPrincipal = "signer-principal", "The authority may not vouch for the names of a certificate.", "compare the names of the certificate with the authority's line in `.jury/signers`";
    // Signed verdicts.
    AttestationMissing = "attestation-missing", "There is no signed verdict of this tree.", "run `jury attest --push` where the gate is clear, and fetch `refs/jury/*`";
    AttestationTooLong = "attestation-too-long", "A signed verdict exceeds the size limit.", "remove the ref; `jury attest` writes no such envelope";
    AttestationShape = "attestation-shape", "A signed verdict is not exactly of the form that `jury attest` writes.", "sign again with `jury attest`";
    AttestationPayloadType = "attestation-payload-type", "The envelope states another type of payload.", "sign again with `jury attest`";
    AttestationPredicate = "attestation-predicate", "The statement has another type or predicate.", "sign again with `jury attest`";
    AttestationNewer = "attestation-newer", "The signed verdict is of a newer version.", "verify it with a newer version of jury";
    AttestationKeyId = "attestation-key-id", "A signature of the envelope names a key id.", "sign again with `jury attest`; keys are told by the signature alone";
    AttestationSubjects = "attestation-subjects", "The statement has not exactly one subject.", "sign again with `jury attest`; a verdict is about one git tree";
    AttestationName = "attestation-name", "The ref of a signed verdict names another tree or content than it has.", "fetch the ref again; somebody overwrote it";
    AttestationTree = "attestation-tree", "The verdict is about another tree.", "review and attest the tree of this commit";
    AttestationRepository = "attestation-repository", "The verdict is about another repository.", "review and attest in this repository";
    AttestationBase = "attestation-base", "The verdict is about another change: its base or its patch is another one.", "review and attest the change against this base";
    AttestationContent = "attestation-content", "The changed files have other bytes than the verdict is about, although git's ids are the same.", "do not merge: have a person compare the files";
    AttestationPolicy = "attestation-policy", "The policy, the rules or the reviewers of the base are others than the verdict states.", "review and attest by the policy of this base";
    AttestationObserved = "attestation-observed", "The policy of the base only observes.", "set `policy.mode` to enforce or warn, and merge that first";
    AttestationWaiver = "attestation-waiver", "A waiver that the verdict counts is no longer on the base, or has ended.", "review and attest again";
    AttestationAcceptance = "attestation-acceptance", "An acceptance that the verdict counts is missing, or does not count.", "fetch `refs/jury/*`, or have it accepted again";
    AttestationConditions = "attestation-conditions", "The verdict does not state every condition of the gate.", "attest again with this version of jury";
    AttestationNotYet = "attestation-not-yet", "The verdict is from the future.", "compare the clocks of the two machines";
    AttestationExpired = "attestation-expired", "The verdict has expired.", "review and attest again";
    AttestationModels = "attestation-models", "The verdict rests on answers of models, which the policy of the base does not take from elsewhere.", "run `jury review` here, or set `attested_models = true` in `[attest]` of the base";
    AttestationRecord = "attestation-record", "The record of the review is missing, or does not lead to the same verdict again.", "attest with `--record`, and fetch `refs/jury/*`";
    AttestationTouch = "attestation-touch", "The key of a signed verdict does not require a touch.", "sign with a hardware (`sk-`) key, or set `software_keys = true` in `[attest]` of the base";
    AttestationSameKey = "attestation-same-key", "The key of a signature has signed another verdict of this tree, or this one twice; a key counts once.", "have another person attest";
    AttestationThreshold = "attestation-threshold", "Fewer keys signed the verdict than the base asks for.", "have another person attest";
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
