//! Finds the known word with the smallest edit distance to a word.

/// Upper bound on the number of letters that are compared: no well-known name is longer.
pub(crate) const LONGEST: usize = 28;

/// Returns the known word with the smallest edit distance to `word`; `None` if every distance is too large. The distance may be
/// 2 for a known word of seven letters or more, and 1 for four to six letters. A shorter known word must be equal, because
/// short words are near many other words.
pub fn near_word<'k>(word: &[u8], known: &mut dyn Iterator<Item = &'k str>) -> Option<&'k str> {
    let word = Bare::new(word);
    let near = known.filter_map(|known| {
        let bare = Bare::new(known.as_bytes());
        let most = match bare.len {
            0..=3 => 0,
            4..=6 => 1,
            _ => 2,
        };
        let distance = word.distance(&bare);
        (distance <= most).then_some((distance, known))
    });
    let nearest = near.min_by_key(|(distance, _)| *distance);
    nearest.map(|(_, known)| known)
}

/// The first [`LONGEST`] letters and digits of a name, in lower case.
pub(crate) struct Bare {
    bytes: [u8; LONGEST],
    pub(crate) len: usize,
}

impl Bare {
    pub(crate) fn new(name: &[u8]) -> Bare {
        let mut bare = Bare {
            bytes: [0; LONGEST],
            len: 0,
        };
        let letters = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
        for (to, from) in bare.bytes.iter_mut().zip(letters) {
            *to = from.to_ascii_lowercase();
            bare.len += 1;
        }
        bare
    }

    pub(crate) fn letters(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Returns the Damerau-Levenshtein distance (optimal string alignment).
    #[inline(never)]
    pub(crate) fn distance(&self, other: &Bare) -> usize {
        let (a, b) = (self.letters(), other.letters());
        let mut row: [usize; LONGEST + 1] = core::array::from_fn(|at| at);
        let mut before = row;
        let mut last = None;
        for (i, from) in a.iter().enumerate() {
            let mut next = [i + 1; LONGEST + 1];
            let cost = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            for (j, to) in b.iter().enumerate() {
                let mut best = (cost(&row, j) + usize::from(from != to))
                    .min(cost(&row, j + 1) + 1)
                    .min(cost(&next, j) + 1);
                let is_swapped = j > 0 && last == Some(to) && b.get(j - 1) == Some(from);
                if is_swapped {
                    best = best.min(cost(&before, j - 1) + 1);
                }
                if let Some(cell) = next.get_mut(j + 1) {
                    *cell = best;
                }
            }
            before = core::mem::replace(&mut row, next);
            last = Some(from);
        }
        row.get(b.len()).copied().unwrap_or(0)
    }
}
