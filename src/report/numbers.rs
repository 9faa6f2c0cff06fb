//! Numbers as people read them.

use std::time::Duration;

/// A whole number with its thousands separated by commas.
pub fn thousands(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things, in the singular if it is one: `1 prefix`, `1,814 prefixes`.
pub fn counted(number: impl Into<u128>, singular: &str, plural: &str) -> String {
    let number = number.into();
    format!("{} {}", thousands(number), if number == 1 { singular } else { plural })
}

/// A time with about three digits: `12 ms`, `4.21 s`, `3 min 12 s`, `2 d 4 h`, `268 years`.
pub fn duration(time: Duration) -> String {
    const YEAR: f64 = 365.25 * 86_400.0;
    let seconds = time.as_secs_f64();
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 0.001 => format!("{:.0} µs", seconds * 1e6),
        _ if seconds < 0.1 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        _ if seconds < 10.0 => format!("{seconds:.2} s"),
        _ if seconds < 60.0 => format!("{seconds:.1} s"),
        0..3_600 => format!("{} min {} s", whole / 60, whole % 60),
        3_600..86_400 => format!("{} h {} min", whole / 3_600, whole / 60 % 60),
        86_400..864_000 => format!("{} d {} h", whole / 86_400, whole / 3_600 % 24),
        _ if seconds < 2.0 * YEAR => format!("{:.0} d", seconds / 86_400.0),
        _ if seconds < 100.0 * YEAR => format!("{:.1} years", seconds / YEAR),
        _ => format!("{} years", thousands((seconds / YEAR).round() as u128)),
    }
}

/// A round number of seconds at the axis of a chart: `20 us`, `1 ms`, `500 s`.
pub fn axis_time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 0.9e-6 => format!("{:.0} ns", seconds * 1e9),
        _ if seconds < 0.9e-3 => format!("{:.0} us", seconds * 1e6),
        _ if seconds < 0.9 => format!("{:.0} ms", seconds * 1e3),
        _ => format!("{seconds:.0} s"),
    }
}

/// A quantity with an SI prefix and three digits: `7.69 M`.
pub fn si(quantity: f64) -> String {
    let (mut scaled, mut prefix) = (quantity, "");
    for larger in ["k", "M", "G", "T", "P", "E"] {
        // 999.5 would be written as 1000.
        if scaled < 999.5 {
            break;
        }
        scaled /= 1000.0;
        prefix = larger;
    }
    let decimals = if scaled < 9.995 { 2 } else { usize::from(scaled < 99.95) };
    format!("{scaled:.decimals$} {prefix}").trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(14_772_512), "14,772,512");
        assert_eq!(counted(1_u64, "prefix", "prefixes"), "1 prefix");
        assert_eq!([0, 1_814_u64].map(|n| counted(n, "row", "rows")).join(", "), "0 rows, 1,814 rows");
        assert_eq!(si(0.0), "0.00");
        assert_eq!(si(999.4), "999");
        assert_eq!(si(999.6), "1.00 k");
        assert_eq!(si(7_690_000.0), "7.69 M");
        assert_eq!(si(1.5e19), "15.0 E");
    }

    #[test]
    fn times_read_well() {
        let text = |seconds| duration(Duration::from_secs_f64(seconds));
        assert_eq!(text(0.000_05), "50 µs");
        assert_eq!(text(0.0123), "12.3 ms");
        assert_eq!(text(0.25), "250 ms");
        assert_eq!(text(4.214), "4.21 s");
        assert_eq!(text(59.7), "59.7 s");
        assert_eq!(text(192.0), "3 min 12 s");
        assert_eq!(text(7_384.0), "2 h 3 min");
        assert_eq!(text(187_200.0), "2 d 4 h");
        assert_eq!(text(8_640_000.0), "100 d");
        assert_eq!(text(1e8), "3.2 years");
        assert_eq!(text(8_443_612_800.0), "268 years");
        assert_eq!(duration(Duration::MAX), "584,542,046,091 years");
        assert_eq!(
            [2e-7, 1e-6, 5e-4, 1e-3, 0.2, 1.0, 100.0].map(axis_time).join(" "),
            "200 ns 1 us 500 us 1 ms 200 ms 1 s 100 s"
        );
    }
}
