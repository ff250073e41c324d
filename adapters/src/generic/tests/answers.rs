//! How answers are typed.
