fn circumference(radius: f64) -> f64 {
    2.0 * 3.1415 * radius
}

fn turn(radius: f64) -> f64 {
    2.0 * std::f64::consts::PI * radius
}

fn digits() -> Vec<char> {
    ('0'..'9').collect()
}

fn all_digits() -> Vec<char> {
    ('0'..='9').collect()
}

fn slots() -> Vec<Arc<Mutex<u8>>> {
    vec![Arc::new(Mutex::new(0)); 8]
}
