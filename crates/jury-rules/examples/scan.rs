use jury_rules::{SPECIALISTS, SourceFile};
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let last = text.lines().count().max(1) as u32;
        for s in SPECIALISTS.iter() {
            if s.domain != "security" { continue; }
            let review = s.review(&[SourceFile { path: &path, text: &text, touched: &[(1, last)] }]);
            for u in review.unreviewed { println!("{path}\t0\tUNREVIEWED\t-\t{u:?}"); }
            for u in review.findings.residual_risks { println!("{path}\t0\tRISK\t-\t{u}"); }
            for f in review.findings.findings {
                println!("{path}\t{}\t{}\t{}\t{}", f.merge.line, f.other["rule"], f.other.get("cwe").map(|c| c.to_string()).unwrap_or_default(), f.merge.title);
            }
        }
    }
}
