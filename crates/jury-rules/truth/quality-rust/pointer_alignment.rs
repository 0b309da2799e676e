fn header(bytes: &[u8]) -> u32 {
    let at = bytes.as_ptr() as *const u32;
    unsafe { *at }
}
fn safe_header(bytes: &[u8]) -> u32 {
    u32::from_ne_bytes(bytes[..4].try_into().expect("four"))
}
