fn newer(one: &Book, two: &Book) -> bool {
    let a = one.year > one.year;
    let b = one.year > two.year;
    let c = one.pages - one.pages;
    let d = one.pages - two.pages;
    a && b && c == d
}
