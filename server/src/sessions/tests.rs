//! Sessions on a terminal in memory: what is drawn, typed, told and kept. The screens are those captured from the real CLIs.

mod asides;
mod attempts;
mod conversations;
mod facts;
mod faults;
mod first_message;
mod life;
mod messages;
mod pages;
mod prompts;
mod reservations;
mod restart;
mod resuming;
mod rules;
mod sending;
mod stage;
mod startup;
mod unreadable;
