fn one(lines: &[String]) {
    for line in lines {
        print_line(line);
        break;
    }
}

fn until_blank(lines: &[String]) {
    for line in lines {
        if line.is_empty() {
            break;
        }
        print_line(line);
    }
}

fn rest(mut words: Words) {
    for word in words.next() {
        print_line(&word);
    }
    for word in words {
        print_line(&word);
    }
}
