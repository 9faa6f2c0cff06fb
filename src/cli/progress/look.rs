//! How progress looks: in a line of a terminal, and in a log.

use std::time::{Duration, SystemTime};

use nqueens::report::duration;

/// What there is to show.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// What is being done: `planning`, `counting`.
    pub what: &'static str,
    /// How long that has taken so far.
    pub elapsed: Duration,
    /// The share that is done, 0 to 1, where it is known.
    pub share: Option<f64>,
    /// The time that is left, where it can be told.
    pub left: Option<Duration>,
    /// The hour when it will end.
    pub ends: Option<String>,
    /// How fast it is: `2.31 k prefixes/s`.
    pub rate: Option<String>,
}

/// From so many columns on there is a bar.
const WIDE: usize = 60;

/// Columns of the shortest bar, with its brackets.
const MIN_BAR: usize = 12;

impl Look {
    /// In so many columns at most, with a bar if there is room.
    pub fn in_columns(&self, columns: usize) -> String {
        let room = columns.saturating_sub(self.what.len() + 1);
        let bar = if self.share.is_some() && columns >= WIDE { MIN_BAR + 1 } else { 0 };
        let texts = self.texts();
        let fits = |text: &&String| text.chars().count() + bar <= room;
        let Some(text) = texts.iter().find(fits) else {
            return self.what.chars().take(columns).collect();
        };
        let bar = self.share.filter(|_| bar > 0).map_or_else(String::new, |share| {
            let inside = room - text.chars().count() - 3;
            let full = ((share * inside as f64) as usize).min(inside);
            format!("[{}{}] ", "=".repeat(full), " ".repeat(inside - full))
        });
        format!("{} {bar}{text}", self.what)
    }

    /// In a line of a log: all of it.
    pub fn in_a_log(&self) -> String {
        format!("{}: {}", self.what, self.texts()[0])
    }

    /// What there is to say after what is done, from all of it to the least.
    fn texts(&self) -> Vec<String> {
        let elapsed = duration(self.elapsed);
        let left = self.left.map(duration).map(|left| format!(", {left} left"));
        let ends = self.ends.as_ref().map(|ends| format!(" (until {ends})"));
        let rate = self.rate.as_ref().map(|rate| format!(", {rate}"));
        let [left, ends, rate] = [left, ends, rate].map(Option::unwrap_or_default);
        let share = self.share.map(|share| format!("{:4.1} %", 100.0 * share));
        let (start, short) = match &share {
            Some(share) => (format!("{share} after {elapsed}"), share.clone()),
            None => (format!("for {elapsed}"), format!("for {elapsed}")),
        };
        vec![
            format!("{start}{left}{ends}{rate}"),
            format!("{start}{left}{ends}"),
            format!("{start}{left}"),
            format!("{short}{left}"),
            short,
        ]
    }
}

/// The hour after this time, and the day if it is another one: `14:05 UTC`, `2027-01-31 14:05 UTC`.
pub fn hour_after(left: Duration) -> Option<String> {
    const DAY: Duration = Duration::from_secs(86_400);
    /// Beyond that an hour says nothing.
    const MAX: Duration = Duration::from_secs(366 * 86_400);
    let end = SystemTime::now().checked_add(left).filter(|_| left < MAX)?;
    let text = humantime::format_rfc3339_seconds(end).to_string();
    let (day, hour) = (text.get(..10)?, text.get(11..16)?);
    Some(if left < DAY { format!("{hour} UTC") } else { format!("{day} {hour} UTC") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look() -> Look {
        Look {
            what: "counting",
            elapsed: Duration::from_secs(62),
            share: Some(0.342),
            left: Some(Duration::from_secs(123)),
            ends: Some("14:05 UTC".into()),
            rate: Some("2.31 k prefixes/s".into()),
        }
    }

    #[test]
    fn it_says_as_much_as_there_is_room_for() {
        let look = look();
        for (columns, text) in [
            (
                110,
                "counting [=======                 ] 34.2 % after 1 min 2 s, 2 min 3 s left (until 14:05 UTC), \
                 2.31 k prefixes/s",
            ),
            (79, "counting [=====            ] 34.2 % after 1 min 2 s, 2 min 3 s left (until 14:05 UTC)"),
            (39, "counting 34.2 %, 2 min 3 s left"),
            (20, "counting 34.2 %"),
            (5, "count"),
        ] {
            let shown = look.in_columns(columns);
            assert!(shown.chars().count() <= columns, "{columns}: {shown}");
            // The bar takes what is left over.
            let without_bar = |text: &str| text.split_once("] ").map_or(text.to_string(), |(_, rest)| rest.to_string());
            assert_eq!(without_bar(&shown), without_bar(text), "{columns}");
        }
        assert_eq!(
            look.in_a_log(),
            "counting: 34.2 % after 1 min 2 s, 2 min 3 s left (until 14:05 UTC), 2.31 k prefixes/s"
        );
    }

    #[test]
    fn nothing_is_too_odd_to_be_shown() {
        for columns in 0..200 {
            for share in [None, Some(0.0), Some(1.0), Some(2.0)] {
                for left in [None, Some(Duration::ZERO), Some(Duration::MAX)] {
                    let look = Look { share, left, ..look() };
                    assert!(look.in_columns(columns).chars().count() <= columns, "{columns}: {look:?}");
                }
            }
        }
        let look = Look { what: "planning", elapsed: Duration::from_secs(3), ..Look::default() };
        assert_eq!(look.in_columns(39), "planning for 3.00 s");
    }

    #[test]
    fn hours_have_a_day_if_it_is_another_one() {
        assert_eq!(hour_after(Duration::from_secs(60)).map(|hour| hour.len()), Some("14:05 UTC".len()));
        assert_eq!(hour_after(Duration::from_secs(86_400)).map(|hour| hour.len()), Some("2027-01-31 14:05 UTC".len()));
        assert_eq!(hour_after(Duration::MAX), None);
    }
}
