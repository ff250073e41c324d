#!/usr/bin/env python3
"""Captures the screens in this folder from the real demo agent in a real tmux.

Usage: capture.py PATH/TO/answerback [CASE]

What a screen says is written here by hand, not read by the adapter: the test compares the two.
"""
import json, os, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = [(120, 40), (80, 24), (46, 30)]
ALWAYS = "Yes, and don't ask again for `cargo test`"
DIFFERENTLY = "No, and tell the agent what to do differently"
LONG_TEXT = "use ls instead, and tell me what you found before you go on"
COMMAND = {
    "type": "permission", "title": "May I run this command?", "options": ["Yes", ALWAYS, "No", DIFFERENTLY],
    "roles": ["allow", "allow-always", "deny", "feedback"],
    "textInput": True, "selectedIndex": 0, "description": "Runs the tests of the shop before anything is changed.",
    "toolName": "Run command", "toolInput": "cargo test --workspace --quiet",
}
EDIT = {
    "type": "permission", "title": "May I make this edit?",
    "options": ["Yes", "Yes, and accept all edits of this session", "No", DIFFERENTLY],
    "roles": ["allow", "allow-always", "deny", "feedback"],
    "textInput": True, "selectedIndex": 0, "toolName": "Edit file", "toolInput": {"path": "src/cart.rs"},
    "diff": "@@ -3,5 +3,6 @@\n /// What a visitor wants to buy.\n pub struct Cart {\n-    items: Vec<Item>,\n"
            "+    items: BTreeMap<ItemId, u32>,\n+    coupon: Option<Coupon>,\n }",
}
CHOICE = {
    "type": "question", "title": "Which database shall the shop use?",
    "options": ["SQLite", "PostgreSQL", "None", "Other"], "roles": [None, None, None, "other"],
    "textInput": True, "selectedIndex": 0,
    "optionDescriptions": ["One file, nothing to run; enough for a small shop", "A server of its own; grows with the shop",
                     "Keep everything in memory for now", ""],
}
LANGUAGES = ["Rust", "TypeScript", "Python"]
FEATURES = ["Auth", "Queue", "Search", "Metrics"]
MULTI = {
    "type": "question", "title": "Which of these do you need?", "options": FEATURES, "textInput": False,
    "selectedIndex": 0, "checked": [], "multiSelect": True,
    "optionDescriptions": ["Sign in with a passkey", "Send mails in the background", "Find things by their names",
                     "Count what visitors do"],
}
def questions(language, features):
    return [
        {"header": "Language", "question": "Which language shall it be written in?",
         "options": LANGUAGES, "checked": [at for at, name in enumerate(LANGUAGES) if name == language],
         "multiSelect": False, "textInput": False},
        {"header": "Features", "question": "Which of these do you need?", "options": FEATURES,
         "checked": [at for at, name in enumerate(FEATURES) if name in features], "multiSelect": True, "textInput": False},
        {"header": "Name", "question": "What shall the shop be called?", "options": [], "checked": [],
         "multiSelect": False, "textInput": True},
    ]
FORM = {"type": "question", "title": "A new shop", "textInput": True, "selectedIndex": 0, "questionIndex": 0,
        "questions": questions(None, [])}
PLAN = {
    "type": "plan", "title": "Shall I carry out this plan?", "roles": ["allow", "allow-always", "feedback"],
    "options": ["Yes, carry it out", "Yes, and accept all edits", "No, and tell the agent what to change"],
    "textInput": True, "selectedIndex": 0,
    "plan": "# Add a cart\n\n1. Create `src/cart.rs` with a `Cart` type\n2. Store it in the session cookie\n"
            "3. Show the number of items in the header\n\nTests come first: `cargo test` must stay green.",
}
LOOP = {
    "type": "loop-detected", "title": "Keep loop detection on?", "textInput": False, "selectedIndex": 0,
    "options": ["Keep loop detection on", "Disable it for this session"],
    "optionDescriptions": ["Stop here and wait for a message", "Go on as before"],
    "description": "The same file was read seven times in a row without any change in between.",
}

CONTINUE = {"type": "permission", "title": "Continue?", "options": ["Yes", "No"], "textInput": False, "default": "No"}
PASSWORD = {"type": "question", "title": "Password", "textInput": True, "secret": True}

def look_alike(cols):
    """A whole dialog, rules and hints included, as somebody might paste it."""
    rule = "─" * cols
    return "\n".join([rule, " ◆ Permission · Run command", "", "   rm -rf /", "", " May I run this command?", " ❯ 1. Yes",
                      "   2. No", rule, "  ↑↓ move · enter chooses · esc cancels"])

# Name, pace, what to type (a text, [keys] or a function of the width), what must be seen, kind, expected, notes.
CASES = [
    ("command", 0, ["command", ["Enter"]], "enter chooses", "permission", COMMAND, ""),
    ("command-typed", 0, ["command", ["Enter"], ["Down", "Down", "Down"], LONG_TEXT], "go on", "permission",
     COMMAND | {"selectedIndex": 3, "value": LONG_TEXT}, "the text is wrapped at 46 columns"),
    ("edit", 0, ["edit", ["Enter"]], "enter chooses", "permission", EDIT, ""),
    ("choice", 0, ["choice", ["Enter"]], "enter chooses", "question", CHOICE, ""),
    ("choice-typed", 0, ["choice", ["Enter"], ["Down", "Down", "Down"], "DuckDB"], "DuckDB", "question",
     CHOICE | {"selectedIndex": 3, "value": "DuckDB"}, ""),
    ("multi", 0, ["multi", ["Enter"]], "space checks", "question", MULTI, ""),
    ("multi-checked", 0, ["multi", ["Enter"], ["Space", "Down", "Down", "Space", "Down", "Down"]], "❯ Submit", "question",
     MULTI | {"selectedIndex": 4, "checked": [0, 2]}, ""),
    ("questions", 0, ["questions", ["Enter"]], "space checks", "question", FORM, ""),
    ("questions-filled", 0, ["questions", ["Enter"], ["Down", "Space", "Down", "Down", "Space", "Down", "Down", "Down", "Down"],
                             "shop", ["Down"]], "❯ Submit", "question",
     FORM | {"selectedIndex": 8, "questionIndex": None, "value": "shop", "questions": questions("TypeScript", ["Auth"])}, ""),
    ("plan", 0, ["plan", ["Enter"]], "enter chooses", "plan", PLAN, "the numbered list is part of the plan"),
    ("loop", 0, ["loop", ["Enter"]], "enter chooses", "loop", LOOP, ""),
    ("yesno", 0, ["yesno", ["Enter"]], "[y/N]", "permission", CONTINUE, "read by the generic adapter"),
    ("password", 0, ["password", ["Enter"]], "Password:", "question", PASSWORD, "read by the generic adapter"),
    ("puzzle", 0, ["puzzle", ["Enter"]], "««", "unrecognized", None, ""),
    ("ready", 0, [], "Type a message", "ready", {"draft": ""}, "ghost text"),
    ("help", 0, ["help", ["Enter"]], "❯ 1. Yes", "ready", {"draft": ""}, "quotes a dialog"),
    ("answered", 0, ["command", ["Enter"], ["Enter"]], "Understood", "ready", {"draft": ""}, ""),
    ("cancelled", 0, ["multi", ["Enter"], ["Escape"]], "cancelled", "ready", {"draft": ""}, ""),
    ("busy", 0, ["busy", ["Enter"]], "esc to interrupt", "busy", {"draft": "", "detail": "Working…"}, ""),
    ("busy-queued", 0, ["busy", ["Enter"], "one more thing", ["Enter"], "and"], "queued: one more thing", "busy",
     {"draft": "and", "detail": "Working…"}, ""),
    ("streaming", 100, ["long", ["Enter"]], "3. The shop", "busy", {"draft": "", "detail": "Writing…"}, ""),
    ("interrupted", 0, ["busy", ["Enter"], ["Escape"]], "Interrupted", "ready", {"draft": ""}, ""),
    ("quit-armed", 0, [["C-c"]], "again to quit", "ready", {"draft": ""}, ""),
    ("draft-list", 0, ["May I?\n❯ 1. Yes\n  2. No"], "2. No", "ready", {"draft": "May I?\n❯ 1. Yes\n  2. No"}, ""),
    ("draft-dialog", 0, [look_alike], "rm -rf", "ready", {}, "a whole dialog pasted into the composer"),
    ("said-dialog", 0, [look_alike, ["Enter"]], "You said, in", "ready", {"draft": ""}, "a whole dialog said and repeated"),
]

def tmux(*arguments):
    return subprocess.run(["tmux", "-S", socket, "-f", "/dev/null", *arguments], check=True, capture_output=True).stdout.decode()

def settle(seen):
    """Waits until something is seen and the screen stands still for a moment."""
    deadline, last = time.monotonic() + 10, None
    while time.monotonic() < deadline:
        text = tmux("capture-pane", "-p")
        if seen in " ".join(text.split()) and text == last:
            return
        last = text
        time.sleep(0.05)
    raise SystemExit(f"never saw {seen!r} on\n{last}")

def capture(binary, case, cols, rows):
    name, pace, typed, seen, kind, expected, notes = case
    tmux("new-session", "-d", "-x", str(cols), "-y", str(rows), f"env ANSWERBACK_DEMO_PACE={pace} {binary} demo")
    try:
        settle("Type a message")
        for piece in typed:
            if isinstance(piece, list):
                # One by one, each seen or at least read before the next.
                for key in piece:
                    tmux("send-keys", key)
                    settle("")
            else:
                tmux("set-buffer", piece(cols) if callable(piece) else piece)
                tmux("paste-buffer", "-p")
                settle("")
        settle(seen)
        fields = "cursor_x cursor_y cursor_flag alternate_on pane_title pane_tty".split()
        x, y, visible, alternate, title, tty = tmux("display", "-p", "\t".join(f"#{{{field}}}" for field in fields)).rstrip("\n").split("\t")
        modes = subprocess.run(["stty", "-F", tty, "-a"], check=True, capture_output=True).stdout.decode().split()
        folder = os.path.join(HERE, f"{name}-{cols}x{rows}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "screen.ansi"), "w") as file:
            file.write(tmux("capture-pane", "-e", "-p"))
        meta = {
            "cli": "demo", "cols": cols, "rows": rows, "kind": kind, "expected": expected, "notes": notes,
            "terminal": {"cursorX": int(x), "cursorY": int(y), "cursorVisible": visible == "1", "alternate": alternate == "1",
                         "title": title, "echo": "echo" in modes, "canonical": "icanon" in modes},
        }
        with open(os.path.join(folder, "meta.json"), "w") as file:
            json.dump(meta, file, indent=1, ensure_ascii=False)
            file.write("\n")
    finally:
        tmux("kill-server")

for case in CASES:
    for cols, rows in SIZES:
        if len(sys.argv) < 3 or sys.argv[2] == case[0]:
            with tempfile.TemporaryDirectory() as folder:
                socket = os.path.join(folder, "tmux")
                capture(os.path.abspath(sys.argv[1]), case, cols, rows)
