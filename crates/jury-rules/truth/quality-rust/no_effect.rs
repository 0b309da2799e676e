fn tidy(mut shelf: Vec<u32>, lamp: Lamp, one: &mut Jar, two: &mut Jar) {
    shelf.resize(0, 12);
    shelf.resize(12, 0);
    std::mem::forget(&lamp);
    std::mem::forget(lamp);
    for jar in (0..9).step_by(0) {
        show(jar);
    }
    for jar in (0..9).step_by(3) {
        show(jar);
    }
    one.lid = two.lid;
    two.lid = one.lid;
    std::mem::swap(&mut one.label, &mut two.label);
}
