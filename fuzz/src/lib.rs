//! What every fuzz target does with its input: read it as one format, and if anything was understood, say it again.

use jury::formats;
use jury::syntax::Limits;

/// Reads bytes as a format. Panics only on a defect: a reader that understood nothing and said nothing, or a writer whose
/// output its own reader refuses.
pub fn read(id: &str, bytes: &[u8]) {
    let format = formats::by_id(id).expect("the target names a format");
    let reading = format.read(bytes, &Limits::default());
    assert!(reading.report.is_some() || !reading.deviations.is_empty(), "nothing understood and nothing said");
    let Some(report) = reading.report else { return };
    // A format of lines has none for "nothing found", and writes nothing then.
    if let Some(written) = format.write(&report).filter(|written| !written.text.is_empty()) {
        let again = format.read(written.text.as_bytes(), &Limits::default());
        assert!(again.is_conforming(), "wrote what is not read: {:?}\n{}", again.deviations, written.text);
        // The order of parts may be fixed by writing; what was written once is written the same way ever after.
        let twice = again.report.and_then(|report| format.write(&report));
        assert_eq!(twice.map(|twice| twice.text), Some(written.text), "the same value is written in two ways");
    }
}
