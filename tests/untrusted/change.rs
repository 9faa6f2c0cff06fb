//! Changes of files, of their bytes and of what they say.

use fastrand::Rng;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// A sealed file with this JSON object in it, as `docs/CHECKPOINT_FORMAT.md` describes the seal.
pub fn seal(object: &[u8]) -> Vec<u8> {
    let mut body = object.strip_prefix(b"{").unwrap_or(object).to_vec();
    body.push(b'\n');
    let digest: String = Sha256::digest(&body).iter().map(|byte| format!("{byte:02x}")).collect();
    [format!("{{\"sha256\":\"{digest}\",").as_bytes(), &body].concat()
}

/// The same of a parsed file, without the digest it had.
pub fn reseal(file: &Value) -> Vec<u8> {
    let mut file = file.clone();
    if let Value::Object(members) = &mut file {
        members.remove("sha256");
    }
    seal(&serde_json::to_vec(&file).unwrap())
}

/// Changes some bytes: bits flipped, parts cut out, doubled, or put elsewhere.
pub fn change_bytes(bytes: &mut Vec<u8>, random: &mut Rng) {
    for _ in 0..random.u32(1..=4) {
        let (from, to) = (random.usize(..=bytes.len()), random.usize(..=bytes.len()));
        let (from, to) = (from.min(to), from.max(to));
        match random.u32(0..6) {
            0 => bytes.truncate(to),
            1 => drop(bytes.drain(from..to)),
            2 if bytes.len() < 1 << 16 => bytes.extend_from_within(from..to),
            3 => {
                let part: Vec<u8> = bytes[from..to].to_vec();
                bytes.splice(to..to, part);
                bytes.truncate(1 << 16);
            }
            4 => bytes.insert(from, *random.choice(b"\"{}[],:-+.eE0123456789\\u\0\xff ").unwrap()),
            _ => {
                if let Some(byte) = bytes.get_mut(from) {
                    *byte ^= 1 << random.u32(0..8);
                }
            }
        }
    }
}

/// Changes one value somewhere in a file.
pub fn change_value(value: &mut Value, random: &mut Rng) {
    let inner = match value {
        Value::Array(elements) => elements.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    };
    // Mostly deeper, so that the outermost members are not all that is changed.
    if inner > 0 && random.u32(0..6) > 0 {
        let at = random.usize(..inner);
        return match value {
            Value::Array(elements) => change_value(&mut elements[at], random),
            Value::Object(members) => change_value(members.values_mut().nth(at).unwrap(), random),
            _ => unreachable!("it has values inside"),
        };
    }
    match value {
        Value::Array(elements) => change_array(elements, random),
        Value::Object(members) => change_object(members, random),
        Value::Number(number) if random.bool() => {
            let number = number.as_u64().unwrap_or_default();
            let near = [
                number.wrapping_add(1),
                number.wrapping_sub(1),
                number.wrapping_mul(2),
                number ^ 1 << random.u32(0..64),
            ];
            *value = (*random.choice(&near).unwrap()).into();
        }
        other => *other = anything(random),
    }
}

fn change_array(elements: &mut Vec<Value>, random: &mut Rng) {
    if elements.is_empty() {
        return elements.push(anything(random));
    }
    let at = random.usize(..elements.len());
    match random.u32(0..5) {
        0 => drop(elements.remove(at)),
        1 => elements.push(anything(random)),
        2 => elements.swap(0, at),
        3 => elements.push(elements[at].clone()),
        _ => {
            let element = elements[at].clone();
            elements.extend(std::iter::repeat_n(element, random.usize(..300)));
        }
    }
}

fn change_object(members: &mut Map<String, Value>, random: &mut Rng) {
    let Some(name) = random.choice(members.keys().cloned().collect::<Vec<_>>()) else {
        members.insert("1".into(), anything(random));
        return;
    };
    match random.u32(0..4) {
        0 => drop(members.remove(&name)),
        1 => drop(members.insert(random.u32(..10).to_string(), members[&name].clone())),
        2 => drop(members.insert("given_up".into(), members[&name].clone())),
        _ => drop(members.insert(name, anything(random))),
    }
}

/// A value that may surprise its reader.
fn anything(random: &mut Rng) -> Value {
    let long = |character: &str, random: &mut Rng| character.repeat(random.usize(..3000));
    match random.u32(0..16) {
        0 => Value::Null,
        1 => random.bool().into(),
        2 => (-1).into(),
        3 => (*random.choice(&[0u64, 1, 2, 4, 8, 9, 31, 32, 33, 64, 4096, 1 << 32, (1 << 53) + 1, u64::MAX]).unwrap())
            .into(),
        4 => random.u32(0..40).into(),
        5 => random.u64(..).into(),
        6 => 1.5e300.into(),
        7 => json!({}),
        8 => json!([]),
        9 => (0..random.u32(1..200)).fold(Value::Null, |inner, _| json!([inner])),
        10 => "".into(),
        11 => random.u128(..).to_string().into(),
        12 => long("9", random).into(),
        13 => long("\u{1b}]0;é\u{7}", random).into(),
        14 => json!(["most-constrained", "row-order", "half-join"])[random.usize(..3)].clone(),
        _ => json!([random.u64(..100), random.u64(..100)]),
    }
}
