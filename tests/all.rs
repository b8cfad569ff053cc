//! The command as its user sees it. All tests are one program: long ones run in parallel, and libraries are linked
//! once.

mod calibrate;
mod claims;
mod command;
mod common;
mod device_math;
mod exec;
mod graph_writers;
mod hardware;
mod house;
mod json;
mod kernel;
mod microbench;
mod nvcc;
mod own_sweep;
mod own_unit;
mod pages;
mod performance;
mod readers;
mod readme;
mod rooms;
mod scripts;
mod sweep;
