use std::sync::Mutex;
async fn count(total: &Mutex<u64>, feed: Feed) {
    let mut sum = total.lock().unwrap();
    *sum += feed.next().await;
}
async fn tally(total: &Mutex<u64>, feed: Feed) {
    let next = feed.next().await;
    let mut sum = total.lock().unwrap();
    *sum += next;
}
