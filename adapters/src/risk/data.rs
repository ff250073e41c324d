//! Databases: what drops or empties them.

use super::{Findings, line::Call, programs::says};

/// Judges a call of a database's client, or of a tool that rules one.
pub(super) fn judge(call: &Call<'_>, findings: &mut Findings) {
    let joined: Vec<&str> = call.args.iter().map(|word| word.text.as_str()).collect();
    let joined = joined.join(" ");
    match call.program {
        "psql" | "mysql" | "mariadb" | "sqlite3" | "mongosh" | "mongo" | "clickhouse-client" | "duckdb" | "sqlcmd"
        | "bq" | "cqlsh" => {
            statement(&joined, findings);
            if let Some(text) = &call.input.text {
                statement(text, findings);
            }
        }
        "dropdb" | "dropuser" => findings.high(format!("deletes a database: {joined}")),
        "mysqladmin" if says(call.args, &["drop"]) => findings.high("deletes a database"),
        "redis-cli" | "valkey-cli" if joined.to_lowercase().contains("flush") => findings.high("empties a database"),
        "rails" | "rake" | "mix" | "php" | "artisan" | "knex" | "sequelize" | "typeorm" | "prisma" | "supabase"
        | "npx" | "pnpm" | "yarn" | "alembic" | "flyway" | "python" | "python3" | "django-admin" | "bundle"
        | "manage.py" | "bun" | "bunx" => {
            const RESETS: &[&str] = &[
                "db:drop",
                "db:reset",
                "db:purge",
                "ecto.drop",
                "ecto.reset",
                "migrate:fresh",
                "migrate:reset",
                "db:wipe",
                "migrate reset",
                "--force-reset",
                "--accept-data-loss",
                "db reset",
                "downgrade base",
                "manage.py flush",
                "schema:drop",
                "db:migrate:undo:all",
                "migrate:rollback",
                "django-admin flush",
                "reset_db",
            ];
            if RESETS.iter().any(|reset| joined.contains(reset))
                || (call.program == "flyway" && joined.contains("clean"))
            {
                findings.high("empties or deletes a database");
            }
        }
        _ => {}
    }
}

/// What a statement does, by its first words.
fn statement(text: &str, findings: &mut Findings) {
    for one in text.split(';') {
        let words: Vec<String> = one
            .split(|each: char| !each.is_alphanumeric() && each != '_' && each != '.')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let has = |word: &str| words.iter().any(|each| each == word);
        let follows = |first: &str, second: &[&str]| {
            words.windows(2).any(|pair| pair[0] == first && second.contains(&pair[1].as_str()))
        };
        if follows(
            "drop",
            &["table", "database", "schema", "view", "index", "user", "role", "collection", "column", "owned"],
        ) {
            findings.high("drops part of a database");
        }
        if follows("truncate", &["table", "only"]) || words.first().is_some_and(|first| first == "truncate") {
            findings.high("empties a table");
        }
        if follows("delete", &["from"]) {
            if has("where") {
                findings.medium("deletes rows from a table")
            } else {
                findings.high("deletes all rows of a table")
            }
        }
        if has("update") && has("set") && !has("where") {
            findings.high("changes all rows of a table");
        }
        if one.contains("dropDatabase") || one.contains(".drop(") || one.contains("deleteMany({})") {
            findings.high("drops part of a database");
        }
    }
}
