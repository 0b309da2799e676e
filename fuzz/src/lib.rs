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
    if let Some(written) = format.write(&report) {
        let again = format.read(written.text.as_bytes(), &Limits::default());
        assert!(again.is_conforming(), "wrote what is not read: {:?}\n{}", again.deviations, written.text);
        if reading.deviations.is_empty() {
            assert_eq!(again.report.as_ref(), Some(&report), "a conforming document does not read back");
        }
    }
}
