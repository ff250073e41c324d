use super::*;

/// Lines that both readings must understand alike.
const UNDERSTOOD: &[&str] = &[
    "git status",
    "git commit -m \"line1\nline2\"",
    "git commit -m \"$(cat <<'EOF'\nit's \"x\n`y` $(z)\nEOF\n)\"",
    "ls .env 2>/dev/null || echo no",
    "npm run test 2>&1",
    "pylint a.py | grep E",
    "find . -exec grep -l x {} \\; | sort | while read f; do echo $f; grep y \"$f\"; done",
    "for f in a b *.rs; do wc -l \"$f\"; done",
    "if test -f x; then echo y; elif false; then echo z; else echo w; fi",
    "case $x in a|b) echo 1;; *) echo 2;; esac",
    "(cd src && ls) > out.txt",
    "{ echo a; echo b; } | sort",
    "echo $'a\\x41\\n' \"b'$c'\" 'd\"e' f\\ g",
    "echo \"a$(b $(c $(d $(e))))\"",
    "diff <(sort a) <(sort b)",
    "echo `date` \"`date`\"",
    "echo ${x} ${x:-y} ${#x} \"${x%.rs}\" ${x/a/b} ${x:1:2}",
    "echo $((1 + 2)) $((i + 1))",
    "[[ -f x && $y == z* ]] && echo ok",
    "cat <<EOF\nhello $USER \\$x\nEOF",
    "cat <<-EOF\n\thello\n\tEOF\necho x",
    "cat <<A <<B\na\nA\nb\nB\necho c",
    "echo a # comment\necho b",
    "echo a \\\n  b",
    "A=1 B=\"x y\" cmd arg",
    "x=$(git rev-parse HEAD)",
    "! grep -q x f && time ls",
    "sleep 1 & wait",
    "cat <<< \"hello\"",
    "mkdir -p src/{a,b}",
    "echo \"cost: 5$\" $ a$",
    "echo hi >&2",
    "cmd &> /dev/null",
    "cmd |& tee x",
    "until false; do echo x; done",
    "echo \"größe ✓\"",
];

/// Lines that must not be understood.
const NOT_UNDERSTOOD: &[&str] = &[
    "echo a$(|)b",
    "echo ${ rm x; }",
    "echo ${x:-$(rm x)}",
    ": ${x:=$(rm x)}",
    "a[$(rm x)]=1",
    "echo $((a[$(rm x)]))",
    "git() { rm \"$@\"; }; git x",
    "echo \"open",
    "echo 'open",
    "if true; then echo",
    "cat <<EOF\nnever ends",
    "cat <<EOF\n$(rm x)\nEOF",
    "echo $[1+1]",
    "(( x++ ))",
    "coproc rm x",
    "echo ${!x}",
    "echo ${x@P}",
    "echo a | | b",
    "select x in a; do rm $x; done",
    "echo $\\\n(rm x)",
];

#[test]
fn both_readings_agree_on_daily_commands() {
    let failed: Vec<_> =
        UNDERSTOOD.iter().map(|text| (text, read(text))).filter(|(_, line)| !line.problems.is_empty()).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn odd_forms_are_not_understood() {
    for text in NOT_UNDERSTOOD {
        let line = read(text);
        assert!(!line.problems.is_empty(), "{text:?}: {:#?}", line.scripts);
    }
}

#[test]
fn deep_nesting_is_a_problem_and_no_crash() {
    for (open, close) in [("$(", ")"), ("(", ")"), ("{ ", "}"), ("\"$(", ")\""), ("$((", "))"), ("${x:-", "}")] {
        let text = format!("echo {}x{}", open.repeat(500), close.repeat(500));
        assert!(!read(&text).problems.is_empty(), "{open}");
        assert!(!read(&open.repeat(3000)).problems.is_empty(), "{open}");
    }
    assert!(!read(&"if x; then ".repeat(1000)).problems.is_empty());
    assert!(!read(&"x ".repeat(9000)).problems.is_empty());
    assert!(!read(&"a;".repeat(7000)).problems.is_empty());
}
