//! Sessions on a terminal in memory: what is drawn, typed, told and kept. The screens are those captured from the real CLIs.

mod asides;
mod attempts;
mod conversations;
mod faults;
mod life;
mod opening;
mod pages;
mod prompts;
mod restart;
mod resuming;
mod sending;
mod stage;
mod startup;
mod talking;
