use std::ops::{BitAnd, Div};
impl Div for Ratio {
    type Output = Self;
    fn div(self, rhs: Self) -> Self {
        Ratio { top: self.top * rhs.top, low: 1 }
    }
}
impl BitAnd for Flags {
    type Output = Self;
    fn bitand(self, rhs: Self) -> Self {
        Flags(self.0 & rhs.0)
    }
}
