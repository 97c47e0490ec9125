//! What the sources themselves must keep: the order of the stages, and rows of the specification that exist.

mod c_names;
mod layers;
mod options;
mod spec_citations;
mod structs;
