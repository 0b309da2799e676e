fn frame(size: usize) -> Vec<f32> {
    let mut samples: Vec<f32> = Vec::with_capacity(size);
    unsafe { samples.set_len(size); }
    samples
}
fn silent(size: usize) -> Vec<f32> {
    let mut samples: Vec<f32> = Vec::with_capacity(size);
    samples.resize(size, 0.0);
    samples
}
