//! How well a few letters fit a path. Pure.

/// How well the letters fit, higher is better; nothing when the path does not have them in this order.
///
/// Letters that follow one another, begin a word or stand in the file's own name count more; of two that fit equally the
/// shorter path is the better.
pub(super) fn score(query: &str, path: &str) -> Option<i32> {
    let name_at = path.rfind('/').map_or(0, |slash| slash + 1);
    // In the name first: what a person remembers of a file.
    let in_name = along(query, &path[name_at..]).map(|score| score + NAME);
    let best = in_name.max(along(query, path))?;
    Some(best - i32::try_from(path.len()).unwrap_or(i32::MAX / 2) / 4)
}

const NAME: i32 = 20;
const FOLLOWS: i32 = 8;
const BEGINS: i32 = 6;
const HIT: i32 = 1;

fn along(query: &str, text: &str) -> Option<i32> {
    let mut score = 0;
    let mut letters = text.chars();
    let mut before = '/';
    let mut followed = false;
    for wanted in query.chars().filter(|ch| !ch.is_whitespace()) {
        loop {
            let letter = letters.next()?;
            let begins = !before.is_alphanumeric() || before.is_lowercase() && letter.is_uppercase();
            before = letter;
            if letter.to_lowercase().eq(wanted.to_lowercase()) {
                score += HIT + if followed { FOLLOWS } else { 0 } + if begins { BEGINS } else { 0 };
                followed = true;
                break;
            }
            followed = false;
        }
    }
    Some(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_file_comes_first() {
        let table: &[(&str, &[&str])] = &[
            ("main", &["main.rs", "src/main.rs", "src/domain/model_a_in.rs"]),
            ("mainrs", &["src/main.rs", "src/main/readers.txt"]),
            ("cp", &["src/chat-page.tsx", "src/recipe.ts"]),
            ("src/ma", &["src/main.rs", "src/domain.rs"]),
            ("COMPOSER", &["composer.tsx", "the-composer.test.tsx"]),
        ];
        for (query, expected) in table {
            let mut paths: Vec<_> = expected.iter().rev().collect();
            paths.sort_by_key(|path| std::cmp::Reverse(score(query, path)));
            assert_eq!(paths, expected.iter().collect::<Vec<_>>(), "{query}");
        }
    }

    #[test]
    fn letters_that_are_not_there_in_this_order_do_not_fit() {
        assert_eq!(score("zz", "src/main.rs"), None);
        assert_eq!(score("niam", "main.rs"), None);
        assert!(score("", "main.rs").is_some());
        assert!(score("straße", "Straße.md").is_some());
    }
}
