//! The ledger without a runtime: tables of what happens, and a random walk against a plain model.

mod bounds;
mod expiry;
mod hooks;
mod log;
mod restart;
mod table;
mod walk;
mod world;
