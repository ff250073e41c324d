//! What helps to write a message: the files of a folder, the commands that people have defined, the files that go with it.
//! All of it reads the disk, so all of it is bounded.

pub mod attached;
mod commands;
mod folder;
mod fuzzy;

pub use commands::defined_commands;
pub use folder::FolderFiles;
