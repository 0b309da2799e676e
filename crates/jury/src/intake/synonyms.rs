//! The one table of reviewers' synonyms for the names and words of the contracts.
//!
//! In: a name or a word as a reviewer wrote it. Out: its meaning. Names are compared without case, `_`, `-` and
//! spaces, so the camel-case twin of every name is in the table, too. Deliberately not here: the use of a match.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::model::{AutofixClass, Category, GateVerdict, Owner, Severity};

/// The meaning of a finding's field. The first name of each row is the contract's own (004, else 000 or 002).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Title,
    Severity,
    /// Says something like a severity, and counts only if its word is known.
    SeverityHint,
    Score,
    File,
    Line,
    EndLine,
    Column,
    Place,
    Places,
    Confidence,
    Why,
    Fix,
    Evidence,
    Reviewer,
    Reviewers,
    Category,
    Rule,
    Cwe,
    Autofix,
    Owner,
    RequiresVerification,
    PreExisting,
    Status,
    IsSettled,
    Passed,
    SystemBreaking,
    FalsePositive,
}

/// Names of the fields of one finding. Where several names of a row occur, the earlier one wins; `Why`, `Fix` and
/// `Evidence` take all of them.
#[rustfmt::skip]
pub(super) const FIELDS: &[(Field, &[&str])] = &[
    (Field::Title, &["title", "headline", "name", "summary", "issue", "problem", "finding", "message", "msg",
        "short_description", "short_summary", "one_liner", "issue_text", "issue_title", "finding_title", "vulnerability",
        "vulnerability_type", "warning", "error_message", "label", "what", "claim", "subject", "check_name", "claim_title",
        "titel", "titre", "título", "titolo", "problème", "problema", "标题", "问题", "タイトル", "問題",
        "標題", "제목", "문제"]),
    (Field::Severity, &["severity", "priority", "severity_level", "sev", "criticality", "risk_level", "importance",
        "urgency", "severity_rating", "severity_label", "message_severity", "security_severity_level", "severity_score", "risk_rating", "threat_level", "issue_severity", "finding_severity", "impact_level", "vulnerability_probability",
        "schweregrad", "schwere", "priorität", "gravité", "sévérité", "gravedad", "severidad", "prioridad", "severidade",
        "gravidade", "prioridade", "gravità", "priorità", "严重程度", "严重性", "优先级", "重要度", "深刻度",
        "嚴重程度", "嚴重性", "優先級", "심각도", "중요도", "criticidad", "criticidade"]),
    (Field::SeverityHint, &["level", "type", "kind", "rating", "grade", "level_name", "message_type", "log_level"]),
    (Field::Score, &["cvss", "cvss_score", "security_severity", "cvss_base_score"]),
    (Field::File, &["file", "path", "file_path", "filename", "relative_path", "rel_path", "source_path",
        "target_file", "absolute_file_path", "uri", "module_path", "source_file", "new_path", "old_path", "build_file", "manifest_file", "display_target_file", "target_path",
        "datei", "fichier", "archivo", "fichero", "arquivo", "ficheiro", "文件", "ファイル", "檔案", "파일"]),
    (Field::Line, &["line", "line_number", "start_line", "line_start", "lines", "line_range",
        "line_numbers", "row", "start", "file_line_range", "line_span", "at_line", "line_no", "new_line", "original_line", "from_line", "begin_line", "start_line_number", "range", "positions",
        "zeile", "zeilen", "ligne", "lignes", "línea", "líneas", "linha", "linhas", "riga", "righe", "行", "行号", "行番号", "行號", "라인"]),
    (Field::EndLine, &["end_line", "line_end", "to_line", "line_to", "last_line", "end_line_number", "end"]),
    (Field::Column, &["column", "col", "start_column", "column_start", "column_number"]),
    (Field::Place, &["location", "code_location", "where", "loc", "position", "place", "file_line", "file_and_line",
        "pos", "reference", "code_reference", "ref", "anchor", "file_location",
        "seen_in", "found_in", "target", "component", "stelle", "fundstelle", "emplacement", "ubicación", "localização", "posizione", "位置", "場所", "위치"]),
    (Field::Places, &["locations", "files", "affected_files", "affected_artifacts", "places", "file_paths", "paths",
        "occurrences", "spans", "refs", "file_refs", "code_refs", "code_references", "references",
        "source_refs", "source_references", "source_locations", "evidence_refs", "code_locations", "affected_locations"]),
    (Field::Confidence, &["confidence", "confidence_score", "certainty", "confidence_level", "confidence_percent", "issue_confidence", "confidence_pct", "probability",
        "confianza", "confiança", "置信度", "신뢰도"]),
    (Field::Why, &["why_it_matters", "what_is_wrong", "whats_wrong", "what_happens", "why", "reason", "impact", "description", "details", "detail", "explanation",
        "rationale", "risk", "consequence", "consequences", "body", "reasoning", "context", "trace", "reproduction",
        "note", "notes", "text", "comment", "scenario", "failure_scenario", "exploit_scenario", "relevance",
        "key_insight", "analysis", "observation", "evidence_summary", "justification", "root_cause", "output_snippet", "gap", "long_description",
        "beschreibung", "begründung", "auswirkung", "descripción", "descrição", "descrizione", "描述", "说明", "影响", "説明",
        "說明", "影響", "설명", "영향", "impacto", "cenário", "escenario", "detalle", "detalhe", "motivo"]),
    (Field::Fix, &["suggested_fix", "suggestion", "recommendation", "fix", "remediation", "mitigation",
        "proposed_fix", "recommended_fix", "suggested_mitigation", "solution", "resolution_hint", "how_to_fix", "how_to_verify_fix", "fix_required",
        "fix_suggestion", "recommended_action", "suggested_change", "suggested_action", "action", "guard",
        "workaround", "required_fix", "required_change", "required_action", "fix_hint", "fix_direction", "resolution_steps",
        "suggested_resolution", "fix_recommendation", "empfehlung", "vorschlag", "lösung", "recommandation", "correction",
        "recomendación", "solución", "recomendação", "raccomandazione", "soluzione", "建议", "修复建议", "修正案", "提案",
        "建議", "修復建議", "修改建议", "권고", "권장", "correção", "corrección", "sugerencia", "sugestão"]),
    (Field::Evidence, &["evidence", "first_evidence", "evidence_line", "code_snippet", "snippet", "code", "quote",
        "quoted_code", "proof", "existing_code", "code_excerpt", "excerpt", "code_context", "evidence_quote", "source_excerpt", "matched_text",
        "evidencia", "evidência", "证据", "證據", "증거"]),
    (Field::Reviewer, &["reviewer", "agent", "persona", "domain", "reviewer_name", "agent_name", "found_by",
        "source_agent", "producer"]),
    (Field::Reviewers, &["reviewers", "agents", "surfaced_by", "flagged_by", "raised_by"]),
    (Field::Category, &["category", "defect_category", "issue_type", "finding_type"]),
    (Field::Rule, &["rule", "rule_id", "check_id", "check"]),
    (Field::Cwe, &["cwe", "cwe_id", "cwe_ids", "cwes"]),
    (Field::Autofix, &["autofix_class", "fix_class", "autofix"]),
    (Field::Owner, &["owner", "next_owner"]),
    (Field::RequiresVerification, &["requires_verification", "needs_verification", "verification_required"]),
    (Field::PreExisting, &["pre_existing", "is_pre_existing", "existing_issue"]),
    (Field::Status, &["status", "state", "resolution", "disposition", "resolution_status",
        "estado", "状态", "狀態", "상태"]),
    (Field::IsSettled, &["applied", "fixed", "resolved", "is_resolved", "is_fixed", "fix_applied"]),
    (Field::Passed, &["passed", "pass", "is_passing", "result"]),
    (Field::SystemBreaking, &["system_breaking"]),
    (Field::FalsePositive, &["false_positive", "is_false_positive"]),
];

/// The meaning of a report's member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Holds findings, in any form.
    Findings,
    /// Holds findings of one severity, or counts them.
    OfSeverity(Severity),
    /// Holds findings that are said to be settled.
    Settled,
    /// Holds findings that were there before the change.
    PreExisting,
    ResidualRisks,
    TestingGaps,
    Verdict,
    /// A verdict only if its word is one.
    VerdictHint,
    Reviewer,
    Confidence,
    /// Says how many findings there are.
    Count,
    /// The number of items in the list next to it, of which there may be more pages.
    Total,
    /// Says how bad the worst finding is.
    Worst,
    /// The reviewed files.
    Reviewed,
    Error,
    SchemaVersion,
    /// Says whether the change is refused.
    Refused,
    /// Says that the reviewer itself did not finish.
    Failed,
    /// Says whether the reviewer finished.
    Completed,
    /// Praise.
    Praise,
}

/// Names of the members of a report. Names that are not here are looked into all the same.
#[rustfmt::skip]
pub(super) const PARTS: &[(Part, &[&str])] = &[
    (Part::Findings, &["findings", "issues", "consolidated_findings", "new_findings", "all_findings", "comments",
        "review_comments", "results", "problems", "violations", "defects", "bugs", "vulnerabilities", "known_issues",
        "open_issues", "concerns", "items", "inline_comments", "code_review_findings", "issues_found",
        "merged_findings", "security_findings", "regressions", "claims", "actionable_findings", "findings_list",
        "open_findings", "gated_auto", "manual", "safe_auto", "unresolved", "unresolved_findings",
        "remaining_findings", "failed_checks", "discrepancies", "observed_issues", "review_findings", "code_issues", "threats",
        "blocking_findings_list", "required_changes",
        "requested_changes", "action_items", "offenses", "diagnostics", "misconfigurations", "hallazgos", "achados",
        "review_issues", "code_review_issues", "detected_issues", "identified_issues", "reported_issues", "all_issues", "new_issues",
        "detailed_findings"]),
    (Part::Settled, &["applied_fixes", "applied_safe_auto_fixes", "resolved", "resolved_findings", "fixed",
        "fixed_findings", "fix_verification", "fixes_applied", "previous_findings", "prior_findings",
        "verified_fixes", "closed", "closed_findings", "resolved_issues", "fixed_issues", "previously_fixed",
        "applied"]),
    (Part::PreExisting, &["pre_existing", "pre_existing_findings", "pre_existing_issues", "existing_issues"]),
    (Part::ResidualRisks, &["residual_risks", "residual_risk", "risks", "remaining_risks", "open_risks", "residuals"]),
    (Part::TestingGaps, &["testing_gaps", "test_gaps", "missing_tests", "coverage_gaps", "test_coverage_gaps",
        "untested"]),
    (Part::Verdict, &["verdict", "overall_verdict", "overall", "approval", "gate_status",
        "overall_status", "approved", "is_approved", "passed", "passes_quality_gate", "quality_gate_passed", "overall_correctness", "final_verdict", "review_verdict", "review_status",
        "ready_to_merge", "mergeable", "is_mergeable", "ok", "is_ok", "lgtm", "shippable", "can_merge", "safe_to_merge", "merge_ready", "ok_to_merge", "should_merge"]),
    (Part::VerdictHint, &["event", "status", "decision", "gate", "outcome", "result", "recommendation", "overall_result", "conclusion", "state",
        "review_result", "gate_result", "final_result", "veredicto", "veredito", "结论", "判定"]),
    (Part::Reviewer, &["reviewer", "agent", "persona", "producer", "reviewer_id", "reviewer_perspective",
        "reviewer_name", "agent_name", "review_focus", "review_perspective", "domain", "agent_id"]),
    (Part::Confidence, &["overall_confidence_score", "overall_confidence"]),
    (Part::Count, &["findings_count", "finding_count", "total_findings", "issue_count", "issues_count", "total_issues",
        "num_findings", "num_issues", "findings_total", "number_of_findings", "number_of_issues"]),
    (Part::Total, &["total", "count", "total_count", "total_items", "total_results"]),
    (Part::Error, &["error", "errors", "fatal_error", "exception", "error_message", "failure_reason"]),
    (Part::Worst, &["max_severity", "highest_severity", "worst_severity", "overall_severity", "top_severity", "overall_risk",
        "overall_risk_level", "max_priority", "highest_priority"]),
    (Part::Reviewed, &["files_reviewed", "reviewed_files", "files_examined", "files_checked", "files_analyzed", "files_inspected",
        "files_scanned"]),
    (Part::Refused, &["has_issues", "has_blockers", "has_blocking_issues", "has_critical_issues", "has_critical", "is_blocking",
        "blocks_merge", "should_block", "changes_requested", "needs_changes", "requires_changes", "needs_work"]),
    (Part::Failed, &["is_error", "failed", "timed_out", "aborted", "incomplete", "is_incomplete", "incomplete_results", "truncated",
        "is_truncated", "is_partial", "interrupted", "cancelled", "canceled", "timeout"]),
    (Part::Completed, &["completed", "complete", "review_completed", "review_complete", "finished", "success", "succeeded"]),
    (Part::SchemaVersion, &["schema_version"]),
    (Part::Praise, &["positives", "what_works_well", "strengths", "praise", "positive_observations",
        "positive_findings", "good", "passed_checks", "checks_passed", "passing", "what_is_good", "highlights", "praises"]),
    (Part::OfSeverity(Severity::Blocker), &["blocker", "blockers", "critical", "criticals", "p0", "critical_issues",
        "blocking", "blocking_issues", "blocking_findings", "must_fix", "must_fixes", "critical_findings", "blocker_issues",
        "blocking_concerns", "blocking_reasons", "critical_problems", "fatal", "block_reasons", "rejection_reasons",
        "rejection_feedback", "reject_reasons"]),
    (Part::OfSeverity(Severity::High), &["high", "highs", "major", "majors", "p1", "high_priority", "high_severity",
        "major_issues", "high_issues", "high_findings", "major_findings", "important", "important_issues", "should_fix"]),
    (Part::OfSeverity(Severity::Medium), &["medium", "mediums", "moderate", "p2", "medium_priority",
        "medium_severity", "warnings", "warning", "medium_issues", "medium_findings", "moderate_issues"]),
    (Part::OfSeverity(Severity::Low), &["low", "lows", "minor", "minors", "p3", "low_priority", "low_severity",
        "minor_issues", "non_blocking", "non_blocking_findings", "non_blocking_issues", "non_blockers", "low_issues", "low_findings", "minor_findings", "advisory", "advisories"]),
    (Part::OfSeverity(Severity::Info), &["nit", "nits", "nitpicks", "info", "informational", "suggestions",
        "suggestion", "nice_to_have", "nice_to_haves", "observations", "observation", "notes_for_author", "trivial", "p4"]),
];

/// Words for severities beside the contracts' own, without case and with spaces for `_` and `-`.
#[rustfmt::skip]
pub(super) const SEVERITIES: &[(Severity, &[&str])] = &[
    (Severity::Blocker, &["blocker", "blockers", "blocking", "critical", "criticals", "p0", "s0", "sev0", "sev 0",
        "fatal", "severe", "showstopper", "show stopper", "must fix", "catastrophic", "emergency", "highest", "🔴",
        "🚨", "⛔", "🛑", "🚫", "🔥", "must", "must be fixed", "must fix before merge", "kritisch", "kritische", "kritischer",
        "blockierend", "blockierende", "muss", "muss behoben werden", "critique", "critiques", "bloquant", "bloquante",
        "bloquants", "crítico", "crítica", "críticos", "críticas", "bloqueante", "bloqueantes", "critico", "critica",
        "critici", "bloccante", "bloccanti", "严重", "致命", "阻塞", "阻断", "必须修复", "致命的", "ブロッカー", "必須",
        "緊急", "критический", "критическая", "критично", "критические", "блокер", "치명적", "심각", "필수", "嚴重", "紧急", "必须修改", "必須修復", "必須修正", "required changes", "required fixes",
        "required corrections"]),
    (Severity::High, &["high", "highs", "major", "p1", "s1", "sev1", "sev 1", "error", "errors", "important",
        "serious", "should fix", "very high", "🟠", "❌", "fail", "failed", "failure", "bug", "majors", "should", "should be fixed",
        "hoch", "hohe", "hoher", "schwerwiegend", "schwerwiegende", "wichtig", "sollte", "sollte behoben werden", "majeur",
        "majeure", "majeurs", "élevé", "élevée", "haute", "haut", "alta", "alto", "altas", "altos", "mayor", "mayores",
        "grave", "graves", "importante", "importantes", "maior", "maggiore", "gravi", "高", "重要", "重大", "较高", "高い", "высокий", "высокая", "высокие",
        "серьёзный", "серьезный", "높음", "중요", "高危"]),
    (Severity::Medium, &["medium", "mediums", "moderate", "med", "p2", "s2", "sev2", "sev 2", "warning", "warnings",
        "warn", "normal", "average", "🟡", "⚠", "mid", "mittel", "mittlere", "mittlerer", "moyen", "moyenne",
        "moyens", "modéré", "modérée", "media", "medio", "medias", "medios", "moderado", "moderada", "média", "médio",
        "moderato", "moderata", "中", "中等", "一般", "警告", "中程度", "средний", "средняя", "средние",
        "중간", "보통", "中危", "경고", "concern", "should test"]),
    (Severity::Low, &["low", "lows", "minor", "minors", "p3", "s3", "sev3", "sev 3", "tech debt", "technical debt",
        "advisory", "advisories", "could fix", "weak", "🟢", "🔵", "could", "non blocking", "nonblocking", "niedrig", "niedrige",
        "niedriger", "gering", "geringe", "geringfügig", "mineur", "mineure", "mineurs", "faible", "faibles", "baja", "bajo",
        "bajas", "bajos", "menor", "menores", "leve", "leves", "baixa", "baixo", "bassa", "basso", "minore", "minori", "低",
        "轻微", "次要", "軽微", "低い", "низкий", "низкая", "низкие", "незначительный", "낮음", "경미", "輕微", "低危"]),
    (Severity::Info, &["info", "informational", "information", "note", "notes", "notice", "nit", "nits", "nitpick",
        "nitpicks", "suggestion", "suggestions", "observation", "observations", "trivial", "cosmetic", "optional",
        "hint", "convention", "refactor", "fyi", "p4", "s4", "sev4", "negligible", "lowest", "very low", "style", "question", "consider", "⚪",
        "ℹ", "💡", "nice to have", "nice to haves", "kann", "kann behoben werden", "hinweis", "hinweise", "anmerkung",
        "anmerkungen", "kosmetisch", "remarque", "remarques", "cosmétique", "sugerencia", "sugerencias", "sugestão",
        "sugestões", "suggerimento", "suggerimenti", "建议", "提示", "信息", "提案", "建議", "정보", "제안"]),
    (Severity::Praise, &["praise", "positive", "strength", "kudos", "good"]),
];

/// The contracts' own spellings (000, 002, 004), which need no note.
pub(super) const LITERAL_SEVERITIES: &[&str] =
    &["Blocker", "High", "Medium", "Low", "Info", "Critical", "Nit", "Praise", "P0", "P1", "P2", "P3"];

/// Words for verdicts: the whole text, or its start before a dash, a full stop or a bracket.
#[rustfmt::skip]
pub(super) const VERDICTS: &[(GateVerdict, &[&str])] = &[
    (GateVerdict::Pass, &["pass", "passed", "passes", "passing", "approve", "approved", "approves", "ready to merge",
        "ready", "lgtm", "accept", "accepted", "ok", "success", "succeeded", "clean", "clear", "green", "no issues",
        "merge", "ship", "ship it", "patch is correct", "correct", "no findings", "none", "safe to merge", "go",
        "good to merge", "reviewed no blockers", "reviewed no findings", "no blockers", "done", "completed",
        "complete", "freigabe", "freigegeben", "genehmigt", "approuvé", "aprobado", "aprovado", "approvato", "可以合并", "通过",
        "承認", "通過", "批准", "核准", "合格", "승인", "통과"]),
    (GateVerdict::Warn, &["warn", "warning", "warnings", "commented", "comment", "ready with fixes",
        "approve with comments", "approved with comments", "pass with warnings", "conditional",
        "approve with suggestions", "conditional pass", "pass with notes", "approved with suggestions",
        "ready with minor fixes", "approved with conditions", "concerns", "pass with concerns", "approve with nits",
        "advisory", "conditional approve", "freigabe mit auflagen", "approuvé sous réserve", "aprobado con comentarios",
        "aprobado con observaciones", "aprovado com ressalvas", "有条件通过", "有條件通過", "条件付き承認", "조건부 승인"]),
    (GateVerdict::Fail, &["fail", "failed", "fails", "failing", "reject", "rejected", "request changes",
        "changes requested", "changes", "changes needed", "changes required", "needs revision", "needs work", "needs changes", "not ready", "block", "blocked",
        "blocking", "abort", "patch is incorrect", "incorrect", "error", "red", "no go", "do not merge",
        "not approved", "needs fixes", "requires changes", "must fix", "not ready to merge", "unsafe", "denied",
        "revise", "needs attention", "reviewed with blockers", "needs review", "änderungen erforderlich", "abgelehnt",
        "changements demandés", "modifications demandées", "cambios solicitados", "cambios requeridos", "rechazado",
        "alterações solicitadas", "modifiche richieste", "需要修改", "不通过", "要修正", "不通過", "不合格", "不批准", "驳回", "駁回", "拒绝",
        "退回", "需修改", "不可合并", "差し戻し", "不承認", "반려", "거부", "통과 아님", "수정 필요", "불합격", "no aprobado", "requiere cambios",
        "não aprovado", "reprovado", "rejeitado", "requer alterações", "mudanças solicitadas", "hold", "on hold", "no ship", "do not ship",
        "not shippable", "needs rework", "rework", "rework required", "do not approve", "not acceptable", "unacceptable"]),
];

/// Words for the state of a review that is not done. Those of the second row may be said of its findings as well.
#[rustfmt::skip]
pub(super) const UNFINISHED: [&[&str]; 2] = [
    &["incomplete", "unfinished", "running", "queued", "cancelled", "canceled", "interrupted", "truncated", "timeout", "timed out",
        "skipped", "not started", "not reviewed", "not run", "aborted"],
    &["partial", "in progress", "pending", "started"],
];

/// Whether a finding is open or settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Settled {
    Open,
    Fixed,
    WontFix,
}

/// Words for statuses. A finding that is only deferred, acknowledged or accepted stays open: a reviewer cannot waive it.
#[rustfmt::skip]
pub(super) const STATUSES: &[(Settled, &[&str])] = &[
    (Settled::Open, &["open", "new", "unresolved", "not resolved", "not fixed", "still present", "still open",
        "reopened", "active", "pending", "todo", "deferred", "accepted", "acknowledged", "partially addressed",
        "partially resolved", "partially fixed", "not addressed", "ready", "intentionally deferred", "carried over",
        "in progress", "confirmed", "partial", "unaddressed", "noted", "tracked", "still there", "persists", "regressed",
        "abierto", "abierta", "aberto", "aberta", "pendiente", "pendente", "未修复", "未解决", "待修复", "待处理", "未修復", "미해결"]),
    (Settled::Fixed, &["fixed", "resolved", "closed", "done", "applied", "addressed", "verified", "fully resolved",
        "fully fixed", "fully addressed", "verified fixed", "complete", "completed", "implemented", "merged",
        "will do", "behoben", "erledigt", "corrigé", "résolu", "resuelto", "corregido", "resolvido", "risolto", "已修复",
        "已解决", "修正済み", "已修復", "已解決", "已关闭", "corrigido", "해결됨", "수정됨"]),
    (Settled::WontFix, &["wont fix", "won't fix", "wontfix", "false positive", "invalid", "retracted", "dismissed",
        "withdrawn", "not a bug", "not an issue", "by design"]),
];

/// Words for confidences in percent, after 001's high, med and low.
#[rustfmt::skip]
pub(super) const CONFIDENCES: &[(u32, &[&str])] = &[
    (100, &["high", "very high", "certain", "confirmed", "definite", "absolute"]),
    (75, &["med", "medium", "moderate", "likely", "probable", "reasonable"]),
    (50, &["low", "possible", "uncertain", "tentative", "speculative", "unsure", "weak", "very low"]),
];

/// Words that say that there is none.
pub(super) const NOTHING: &[&str] = &[
    "",
    "-",
    "--",
    "—",
    "–",
    "n/a",
    "na",
    "none",
    "null",
    "nil",
    "unknown",
    "general",
    "multiple",
    "various",
    "tbd",
    "?",
    ".",
    "*",
    "not applicable",
    "unspecified",
    "global",
    "project wide",
    "repo wide",
    "all",
    "many",
    "several",
    "undefined",
];

/// Other words for 002's categories.
#[rustfmt::skip]
pub(super) const CATEGORIES: &[(Category, &[&str])] = &[
    (Category::Security, &["security", "vulnerability", "auth", "privacy", "injection"]),
    (Category::Logic, &["logic", "correctness", "bug", "concurrency", "race condition", "data integrity",
        "functional"]),
    (Category::Error, &["error", "error handling", "reliability", "robustness"]),
    (Category::Type, &["type", "types", "type safety", "typing"]),
    (Category::Test, &["test", "tests", "testing", "test coverage", "coverage"]),
    (Category::Perf, &["perf", "performance", "efficiency"]),
    (Category::Style, &["style", "maintainability", "readability", "naming", "convention", "formatting"]),
    (Category::Doc, &["doc", "docs", "documentation", "comment accuracy", "comments"]),
];

/// Other words for 004's autofix classes.
#[rustfmt::skip]
pub(super) const AUTOFIXES: &[(AutofixClass, &[&str])] = &[
    (AutofixClass::SafeAuto, &["safe auto", "safe", "auto"]),
    (AutofixClass::GatedAuto, &["gated auto", "gated"]),
    (AutofixClass::Manual, &["manual"]),
    (AutofixClass::Advisory, &["advisory", "none", "informational"]),
];

/// Other words for 004's owners. `human` alone is taken letter for letter: it can turn a Blocker into a halt.
#[rustfmt::skip]
pub(super) const OWNERS: &[(Owner, &[&str])] = &[
    (Owner::ReviewFixer, &["review fixer"]),
    (Owner::DownstreamResolver, &["downstream resolver"]),
    (Owner::Human, &["human"]),
    (Owner::Release, &["release"]),
];

/// Reduces a name for comparison: letters and digits without case.
pub(super) fn fold_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Reduces a word or phrase for comparison: lower case, single spaces for `_` and `-`, no decoration around.
pub(super) fn fold_word(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            '\u{fe0f}' | '*' | '`' | '’' | '✅' | '✓' | '✔' => {}
            c if c.is_whitespace() || matches!(c, '_' | '-' | '‑') => {
                if !folded.is_empty() && !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            c if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
            c => folded.extend(c.to_lowercase()),
        }
    }
    let decoration =
        |c: char| matches!(c, '[' | ']' | '(' | ')' | '"' | '\'' | ':' | '.' | ',' | '!' | ';' | '<' | '>' | '#' | '|');
    let bare = folded.trim_end().trim_matches(decoration).trim();
    if bare.len() == folded.len() { folded } else { bare.to_owned() }
}

type Names<T> = BTreeMap<String, T>;

static FIELD_NAMES: LazyLock<Names<(Field, usize)>> = LazyLock::new(|| {
    let row = |(field, names): &(Field, &'static [&str])| {
        let field = *field;
        names.iter().enumerate().map(move |(rank, name)| (fold_name(name), (field, rank)))
    };
    FIELDS.iter().flat_map(row).collect()
});
static PART_NAMES: LazyLock<Names<Part>> = LazyLock::new(|| {
    let row = |(part, names): &(Part, &'static [&str])| {
        let part = *part;
        names.iter().map(move |name| (fold_name(name), part))
    };
    PARTS.iter().flat_map(row).collect()
});
/// The meanings of the names of fields as those of parts, worked out once: they are most of the names that are asked for.
static PARTS_OF_FIELDS: LazyLock<Names<Option<Part>>> =
    LazyLock::new(|| FIELD_NAMES.keys().map(|name| (name.clone(), part_by_name(name))).collect());

/// No name of the tables is longer.
const LONGEST_NAME: usize = 64;

/// Folds a name, like [`fold_name`], without a text of its own for the usual ones: every member of every finding is asked for.
fn with_folded<T>(name: &str, look_up: impl FnOnce(&str) -> T) -> T {
    if !name.is_ascii() || name.len() > LONGEST_NAME {
        return look_up(&fold_name(name));
    }
    let mut folded = [0; LONGEST_NAME];
    let mut length = 0;
    for byte in name.bytes().filter(u8::is_ascii_alphanumeric) {
        folded[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    look_up(std::str::from_utf8(&folded[..length]).unwrap_or_default())
}

/// Returns the meaning of a finding's member, and the distance of its name from the contract's own, which is 0.
pub(super) fn field(name: &str) -> Option<(Field, usize)> {
    with_folded(name, |folded| FIELD_NAMES.get(folded).copied())
}

/// Returns the meaning of a report's member.
pub(super) fn part(name: &str) -> Option<Part> {
    with_folded(name, part_of_folded)
}

fn part_of_folded(folded: &str) -> Option<Part> {
    PARTS_OF_FIELDS.get(folded).copied().unwrap_or_else(|| part_by_name(folded))
}

fn part_by_name(folded: &str) -> Option<Part> {
    if let Some(part) = PART_NAMES.get(folded) {
        return Some(*part);
    }
    // Rounds are numbered: `r1_findings_status`, `round1FixesVerified`, `focus_verification`.
    let says_settled = ["resolved", "verified", "resolution", "verification", "findingsstatus"];
    if says_settled.iter().any(|word| folded.contains(word)) && !folded.contains("unresolved") {
        return Some(Part::Settled);
    }
    if let Some(severity) = counted_name(folded).and_then(|name| PART_NAMES.get(name)) {
        return matches!(severity, Part::OfSeverity(_)).then_some(*severity);
    }
    if let Some(severity) = rated_name(folded) {
        return Some(Part::OfSeverity(severity));
    }
    // A recommendation or decision, `merge_recommendation`, may be to refuse.
    let is_hint = ["verdict", "recommendation", "decision", "conclusion"].iter().any(|word| folded.ends_with(word));
    is_hint.then_some(Part::VerdictHint)
}

/// Nouns of lists of findings, behind the word that rates or groups them.
const LISTED: &[&str] = &[
    "issues",
    "findings",
    "problems",
    "concerns",
    "gaps",
    "bugs",
    "defects",
    "comments",
    "reasons",
    "items",
    "risks",
    "violations",
    "vulnerabilities",
    "warnings",
    "suggestions",
];

/// Returns the severity that a name gives to its items: `p1_warnings`, `critical_gaps`, `p0_block_reasons`.
fn rated_name(folded: &str) -> Option<Severity> {
    let rating = LISTED.iter().find_map(|noun| folded.strip_suffix(noun)).filter(|rating| !rating.is_empty())?;
    let rating = ["block", "blocking", "open"].iter().find_map(|word| rating.strip_suffix(word)).unwrap_or(rating);
    let named = PART_NAMES.get(rating);
    match named {
        Some(Part::OfSeverity(severity)) => Some(*severity),
        _ => None,
    }
}

/// Tells whether a name is that of a list of findings of some kind: `style_issues`, `securityFindings`. A name for excluded ones is none.
pub(super) fn lists_findings(name: &str) -> bool {
    const LEFT_OUT: &[&str] = &[
        "non",
        "suppressed",
        "dismissed",
        "ignored",
        "waived",
        "false",
        "rejected",
        "skipped",
        "filtered",
        "accepted",
        "no",
    ];
    let folded = fold_name(name);
    let kind = ["issues", "findings", "defects", "violations"].iter().find_map(|noun| folded.strip_suffix(noun));
    kind.is_some_and(|kind| !LEFT_OUT.iter().any(|word| kind.starts_with(word)))
}

/// Tells whether a name says that it counts the findings of a severity: `critical_count`.
pub(super) fn counts_severity(name: &str) -> bool {
    let folded = fold_name(name);
    let counted = counted_name(&folded).and_then(|name| PART_NAMES.get(name));
    matches!(counted, Some(Part::OfSeverity(_)))
}

/// Returns the noun in the name of a count: `critical_count`, `num_blockers`.
fn counted_name(folded: &str) -> Option<&str> {
    let before = ["count", "counts", "total"].iter().find_map(|word| folded.strip_suffix(word));
    before.or_else(|| ["num", "numberof", "total"].iter().find_map(|word| folded.strip_prefix(word)))
}

/// Returns the meaning of a word of one of the word tables.
pub(super) fn word<T: Copy>(table: &[(T, &[&str])], text: &str) -> Option<T> {
    let folded = fold_word(text);
    table.iter().find(|(_, words)| words.contains(&folded.as_str())).map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_name_and_no_word_means_two_things() {
        fn check<T: Copy>(table: &[(T, &[&str])], fold: fn(&str) -> String) {
            let mut seen = BTreeSet::new();
            for (_, names) in table {
                for name in *names {
                    assert!(seen.insert(fold(name)), "{name} occurs twice");
                }
            }
        }
        check(FIELDS, fold_name);
        check(PARTS, fold_name);
        check(SEVERITIES, fold_word);
        check(VERDICTS, fold_word);
        check(STATUSES, fold_word);
        check(CONFIDENCES, fold_word);
        check(CATEGORIES, fold_word);
    }

    #[test]
    fn words_are_written_in_the_form_in_which_they_are_compared() {
        fn check<T: Copy>(table: &[(T, &[&str])]) {
            for name in table.iter().flat_map(|(_, names)| *names) {
                assert_eq!(fold_word(name), *name);
            }
        }
        check(SEVERITIES);
        check(VERDICTS);
        check(STATUSES);
        check(CONFIDENCES);
    }

    #[test]
    fn case_separators_and_decoration_do_not_count() {
        assert_eq!(fold_name("suggestedFix"), fold_name("suggested_fix"));
        assert_eq!(word(SEVERITIES, "**[High]**"), Some(Severity::High));
        assert_eq!(word(VERDICTS, "REQUEST_CHANGES"), Some(GateVerdict::Fail));
        assert_eq!(word(SEVERITIES, "⚠️"), Some(Severity::Medium));
        for (text, folded) in [
            (" - [ Must--Fix ] ", "must fix"),
            ("__a\u{3000}B__c.", "a b c"),
            ("É’s `X`\u{fe0f}", "és x"),
            ("-", ""),
            ("* * *", ""),
            ("(a) - (b)", "a) (b"),
        ] {
            assert_eq!(fold_word(text), folded, "{text:?}");
        }
        assert_eq!(word(SEVERITIES, "P9"), None);
    }
}
