use axum::http::HeaderName;

use super::*;

/// A page of a few files, in the form in which `npm run build` leaves them. What stands in the compressed ones is not
/// compressed: only which of them is served matters here.
#[derive(RustEmbed)]
#[folder = "src/http/page/site"]
struct Site;

/// A build without a page.
#[derive(RustEmbed)]
#[folder = "src/http/page/not-built"]
#[allow_missing = true]
struct Nothing;

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn header(&self, name: HeaderName) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }
}

async fn ask(method: &str, path: &str, headers: &[(HeaderName, &str)]) -> Answer {
    ask_of::<Site>(method, path, headers).await
}

async fn ask_of<Files: RustEmbed>(method: &str, path: &str, headers: &[(HeaderName, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(name, *value);
    }
    let response = serve_from::<Files>(&request.body(Body::empty()).expect("a request"));
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, 10_000).await.expect("a body");
    Answer { status: parts.status, headers: parts.headers, body: String::from_utf8_lossy(&body).into_owned() }
}

#[tokio::test]
async fn the_smallest_form_that_the_browser_takes_is_served() {
    let table: &[(&str, Option<&str>, &str, Option<&str>)] = &[
        ("/", None, "<!doctype html>the page\n", None),
        ("/index.html", None, "<!doctype html>the page\n", None),
        ("/", Some("gzip, deflate, br, zstd"), "the page, as brotli\n", Some("br")),
        ("/", Some("br;q=1.0, gzip;q=0.8"), "the page, as brotli\n", Some("br")),
        ("/", Some("gzip"), "the page, as gzip\n", Some("gzip")),
        ("/", Some("GZIP; q=0.5,br;q=0"), "the page, as gzip\n", Some("gzip")),
        ("/", Some("gzip;q=0, br;q=0.000"), "<!doctype html>the page\n", None),
        ("/", Some("gzip;q=nonsense"), "<!doctype html>the page\n", None),
        ("/", Some("zstd, identity"), "<!doctype html>the page\n", None),
        ("/", Some("brotli, xgzip"), "<!doctype html>the page\n", None),
        ("/assets/main-1a2b.js", Some("gzip, br"), "the script, as gzip\n", Some("gzip")),
        ("/icon.svg", Some("gzip, br"), "<svg/>\n", None),
    ];
    for (path, accepted, body, encoding) in table {
        let headers: Vec<_> = accepted.iter().map(|value| (header::ACCEPT_ENCODING, *value)).collect();
        let answer = ask("GET", path, &headers).await;
        assert_eq!(answer.status, StatusCode::OK, "{path} {accepted:?}");
        assert_eq!(
            (answer.body.as_str(), answer.header(header::CONTENT_ENCODING)),
            (*body, *encoding),
            "{path} {accepted:?}"
        );
        assert_eq!(answer.header(header::VARY), Some("accept-encoding"), "{path} {accepted:?}");
    }
}

#[tokio::test]
async fn a_file_says_what_it_is_and_how_long_it_may_be_kept() {
    for (path, content_type, cache) in [
        ("/", "text/html; charset=utf-8", "no-cache"),
        ("/icon.svg", "image/svg+xml", "no-cache"),
        ("/assets/main-1a2b.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
    ] {
        let answer = ask("GET", path, &[(header::ACCEPT_ENCODING, "gzip")]).await;
        let told = (answer.header(header::CONTENT_TYPE), answer.header(header::CACHE_CONTROL));
        assert_eq!(told, (Some(content_type), Some(cache)), "{path}");
    }
}

#[tokio::test]
async fn what_the_browser_has_is_not_sent_again() {
    let gzip = (header::ACCEPT_ENCODING, "gzip");
    let first = ask("GET", "/", std::slice::from_ref(&gzip)).await;
    let tag = first.header(header::ETAG).expect("a tag").to_owned();
    let again = ask("GET", "/", &[gzip.clone(), (header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!((again.status, again.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!((again.header(header::ETAG), again.header(header::CACHE_CONTROL)), (Some(&*tag), Some("no-cache")));
    assert_eq!(again.header(header::CONTENT_ENCODING), None);
    // Another form of it is another thing.
    let other = ask("GET", "/", &[(header::IF_NONE_MATCH, &tag)]).await;
    assert_eq!(other.status, StatusCode::OK);
    assert_ne!(other.header(header::ETAG), Some(&*tag));
    let old = ask("GET", "/", &[gzip, (header::IF_NONE_MATCH, "\"0000\"")]).await;
    assert_eq!((old.status, old.body.as_str()), (StatusCode::OK, "the page, as gzip\n"));
}

#[tokio::test]
async fn what_is_not_of_the_page_is_not_there() {
    for path in [
        "/nothing",
        "/assets",
        "/assets/",
        "/index.html.gz",
        "/index.html.br",
        "/assets/main-1a2b.js.gz",
        "/../page.rs",
        "/assets/../../tests.rs",
        "/..%2ftests.rs",
        "/%2e%2e/tests.rs",
        "/assets/..%5c..%5ctests.rs",
        "//etc/passwd",
        "/index.html%00",
        "/api/nothing",
    ] {
        let answer = ask("GET", path, &[(header::ACCEPT_ENCODING, "gzip, br")]).await;
        assert_eq!((answer.status, answer.body.as_str()), (StatusCode::NOT_FOUND, "there is nothing here"), "{path}");
    }
}

#[tokio::test]
async fn the_page_is_only_read() {
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        assert_eq!(ask(method, "/", &[]).await.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
    }
    assert_eq!(ask("HEAD", "/", &[]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_binary_without_its_page_says_so() {
    let answer = ask_of::<Nothing>("GET", "/", &[]).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.body.contains("npm run build"), "{}", answer.body);
    assert_eq!(ask_of::<Nothing>("GET", "/assets/main-1a2b.js", &[]).await.status, StatusCode::NOT_FOUND);
}
