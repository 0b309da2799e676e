fn archive(folder: &Path) {
    let target = folder.join("/archive");
    let inside = folder.join("archive");
    Command::new("tar").arg("--file out.tar").status();
    Command::new("tar").arg("--file").arg("out.tar").status();
    let log = OpenOptions::new()
        .write(true)
        .create(true)
        .open(&target);
    let log = OpenOptions::new().write(true).create(true).truncate(true).open(&inside);
}

fn same(a: f32, b: f32) -> bool {
    a - b < f32::EPSILON
}

fn alike(a: f32, b: f32) -> bool {
    (a - b).abs() < f32::EPSILON
}
