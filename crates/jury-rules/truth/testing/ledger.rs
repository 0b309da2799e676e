pub fn sum(values: &[i64]) -> i64 {
    values.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[ignore]
    fn sums_many() {
        assert_eq!(sum(&vec![1; 1_000_000]), 1_000_000);
    }

    #[test]
    #[ignore = "needs eight gigabytes"]
    fn sums_very_many() {
        assert_eq!(sum(&vec![1; 1_000_000_000]), 1_000_000_000);
    }

    #[test]
    fn sums_none() {
        let total = sum(&[]);
        println!("{total}");
    }

    #[test]
    fn sums_one() {
        let total = sum(&[7]);
        assert_eq!(total, 7);
    }

    #[test]
    fn sums_two() {
        let total = sum(&[7, 8]);
        assert_eq!(total, total);
    }

    #[test]
    fn sums_three() {
        let total = sum(&[7, 8, 9]);
        assert_eq!(total, 24);
    }
}
