//! Settings that are put beside those of the person and the machine.

use serde_json::Value;

/// Adds settings to others: where both say something the added ones count, but of lists nothing is lost.
pub(crate) fn merge(settings: &mut Value, added: Value) {
    match (settings, added) {
        (Value::Object(settings), Value::Object(added)) => {
            for (name, value) in added {
                merge(settings.entry(name).or_insert(Value::Null), value);
            }
        }
        (Value::Array(settings), Value::Array(added)) => settings.extend(added),
        (settings, added) => *settings = added,
    }
}
