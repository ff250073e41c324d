//! A terminal in memory, for tests.
