//! The ledger without a runtime: tables of what happens, and a random walk against a plain model.

mod expiry;
mod hooks;
mod restart;
mod table;
mod walk;
mod world;
