//! Heap sort, for lists off the hot path. The sort of the standard library is faster, but each list that it sorts adds
//! several kilobytes of code to the library.

use std::cmp::Ordering;

/// Sorts a list in place. Equal items may change places.
pub(crate) fn sort_by<T>(list: &mut [T], order: impl FnMut(&T, &T) -> Ordering) {
    let mut list = Ordered { list, order };
    let len = list.list.len();
    if !list.list.is_sorted_by(|a, b| (list.order)(a, b).is_le()) {
        heap_sort(&mut list, len);
    }
}

/// Sorts a list in place by a key. Equal items may change places.
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(list, |a, b| key(a).cmp(&key(b)));
}

/// A list and the order of its items.
struct Ordered<'a, T, F> {
    list: &'a mut [T],
    order: F,
}

/// What [`heap_sort`] needs of a list. It is compiled once for all types of items.
trait Items {
    fn less(&mut self, a: usize, b: usize) -> bool;
    fn swap(&mut self, a: usize, b: usize);
}

impl<T, F: FnMut(&T, &T) -> Ordering> Items for Ordered<'_, T, F> {
    fn less(&mut self, a: usize, b: usize) -> bool {
        match (self.list.get(a), self.list.get(b)) {
            (Some(a), Some(b)) => (self.order)(a, b).is_lt(),
            _ => false,
        }
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.list.swap(a, b);
    }
}

fn heap_sort(items: &mut dyn Items, len: usize) {
    for root in (0..len / 2).rev() {
        sift_down(items, root, len);
    }
    for end in (1..len).rev() {
        items.swap(0, end);
        sift_down(items, 0, end);
    }
}

/// Restores the heap of the first `end` items: no parent is less than a child of it. Only `root` may break that before.
fn sift_down(items: &mut dyn Items, mut root: usize, end: usize) {
    loop {
        let left = 2 * root + 1;
        if left >= end {
            return;
        }
        let right = left + 1;
        let child = if right < end && items.less(left, right) {
            right
        } else {
            left
        };
        if !items.less(root, child) {
            return;
        }
        items.swap(root, child);
        root = child;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_like_the_standard_library(mut list in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut expected = list.clone();
            expected.sort_unstable();
            sort_by(&mut list, Ord::cmp);
            prop_assert_eq!(&list, &expected);
            expected.reverse();
            sort_by_key(&mut list, |item| std::cmp::Reverse(*item));
            prop_assert_eq!(list, expected);
        }
    }
}
