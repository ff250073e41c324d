//! Sessions on a terminal in memory: what is drawn, typed, told and kept. The screens are those captured from the real CLIs.

mod conversations;
mod faults;
mod life;
mod pages;
mod prompts;
mod restart;
mod sending;
mod stage;
mod startup;
mod talking;
