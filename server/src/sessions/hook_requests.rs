//! What a hook asks, with what only the server can add: the change it would make to the files as they are now.

use std::{fs, path::PathBuf};

use adapters::hook::{self, Request};

/// Files larger than this are not read for a diff.
const DIFF_LIMIT: u64 = 1024 * 1024;

/// The request with the change that it asks for, against the files as they are now.
pub(super) async fn with_diff(request: Request, folder: PathBuf) -> Request {
    if request.edits.is_empty() {
        return request;
    }
    let unchanged = request.clone();
    // Reading and comparing whole files would hold up other sessions.
    let work = tokio::task::spawn_blocking(move || add_diff(request, &folder));
    work.await.unwrap_or(unchanged)
}

fn add_diff(mut request: Request, folder: &std::path::Path) -> Request {
    for edit in &request.edits {
        let path = folder.join(&edit.path);
        let small = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= DIFF_LIMIT);
        let file = small.then(|| fs::read_to_string(&path).ok()).flatten();
        request.sighting.diff.push(hook::diff(edit, file.as_deref()));
    }
    request
}
