use std::io::{Read, Write};
fn copy(from: &mut impl Read, to: &mut impl Write) -> std::io::Result<()> {
    let mut part = [0; 64];
    from.read(&mut part)?;
    from.read_exact(&mut part)?;
    to.write(&part)?;
    to.write_all(&part)?;
    Ok(())
}
