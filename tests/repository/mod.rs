//! What the sources themselves must keep: the order of the stages, and rows of the specification and
//! names of the design that exist.

mod c_names;
mod design;
mod layers;
mod options;
mod spec_citations;
mod structs;
