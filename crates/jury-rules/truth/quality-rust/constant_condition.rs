fn grade(points: u16, mean: f64, rows: &[Row], byte: u8) -> u32 {
    if points >= 0 {
        return 1;
    }
    if points > 0 {
        return 2;
    }
    if mean != std::f64::NAN {
        return 3;
    }
    if !mean.is_nan() {
        return 4;
    }
    if rows.len() < 0 {
        return 5;
    }
    if (byte as u32) == 1000 {
        return 6;
    }
    if (byte as u32) == 100 {
        return 7;
    }
    for row in 9..1 {
        show(row);
    }
    for row in 1..9 {
        show(row);
    }
    u32::from(points) % 1
}
