//! Sorts lists with little code.

/// Sorts a list in place (heapsort). In a WebAssembly module, `sort_unstable` compiles to 3 to 5 KB for each kind of element,
/// and this function to a tenth. But it takes twice as long, so lists that each parse sorts use `sort_unstable`.
#[allow(
    clippy::indexing_slicing,
    reason = "a node is below the end of the heap"
)]
pub(crate) fn sort<T>(list: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    let len = list.len();
    // The first `len / 2` steps make each parent the root of a heap. Each later step moves the root, the largest element, to
    // the end.
    for step in (0..len + len / 2).rev() {
        let (mut node, end) = if step >= len {
            (step - len, len)
        } else {
            (0, step)
        };
        if step < len {
            list.swap(0, step);
        }
        // The element sinks below each child that is greater.
        loop {
            let mut child = 2 * node + 1;
            if child + 1 < end && is_less(&list[child], &list[child + 1]) {
                child += 1;
            }
            if child >= end || !is_less(&list[node], &list[child]) {
                break;
            }
            list.swap(node, child);
            node = child;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sort;

    #[test]
    fn a_sorted_list_is_that_of_std() {
        let mut state: u32 = 1;
        for len in 0..200 {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 24
            };
            // No value is above `len`, so nearly all lists have duplicates.
            let mut list: Vec<u32> = (0..len).map(|_| next() % (len + 1)).collect();
            let mut expected = list.clone();
            expected.sort_unstable();
            sort(&mut list, |a, b| a < b);
            assert_eq!(list, expected);
        }
    }
}
