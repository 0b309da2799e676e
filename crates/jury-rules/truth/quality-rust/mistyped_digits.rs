const MODE: u32 = 0640;
const RIGHT_MODE: u32 = 0o640;
const BITS: u64 = 2 ^ 32;
const WIDE: u64 = 1 << 32;

fn level(name: &str) -> u8 {
    match name.to_uppercase().as_str() {
        "Debug" => 1,
        "INFO" => 2,
        _ => 3,
    }
}
