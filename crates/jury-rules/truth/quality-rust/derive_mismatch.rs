#[derive(Clone, Hash)]
struct Label {
    text: String,
}

impl PartialEq for Label {
    fn eq(&self, other: &Self) -> bool {
        self.text.to_lowercase() == other.text.to_lowercase()
    }
}

#[derive(Clone, Hash, PartialEq, Eq)]
struct Tag {
    text: String,
}
