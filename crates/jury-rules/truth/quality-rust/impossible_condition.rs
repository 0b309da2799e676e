fn sort(size: u32, limit: u32) -> u8 {
    if size > limit && size < limit {
        return 1;
    }
    if size > limit && size < limit + 9 {
        return 2;
    }
    if size == 3 {
        4
    } else if size == 3 {
        5
    } else {
        6
    }
}

fn grow(mut size: u32, step: u32) {
    size += size + step;
    size += step;
}
