//! Meshes of other preprocessors: as far as the mesh, and from there to every format.

use pliant_bulk::{Options, deck_from_cards, read_cards_from};
use pliant_exchange::Target::{Abaqus, Ansys, Gmsh, Universal, Vtu};

use crate::seeds::texts;

pub(crate) const GMSH_WORDS: &[&[u8]] = &[
    b"$Nodes\n",
    b"$Elements\n",
    b"$EndElements\n",
    b"$Entities\n",
    b"$PhysicalNames\n",
    b"4.1 0 8",
    b"4 0 8",
    b"2.2 1 8",
    b"4.1 1 8",
    b"4294967295",
    b"-1",
    b"1e999",
    b"\x01\0\0\0",
    b"\n",
];
pub(crate) const ABAQUS_WORDS: &[&[u8]] = &[
    b"*NODE\n",
    b"*ELEMENT, TYPE=C3D20, ELSET=E\n",
    b"*NSET, NSET=A, GENERATE\n1, 2000000000, 1\n",
    b"*INSTANCE, NAME=I, PART=P\n",
    b"*INCLUDE, INPUT=a.inp\n",
    b"*SURFACE, NAME=S\n",
    b"*EQUATION\n3\n",
    b"*STEP\n",
    b"*BOUNDARY\n",
    b"*SHELL SECTION, ELSET=E, MATERIAL=M\n",
    b",",
    b"**",
    b"1e999",
    b"2147483647",
    b"\n",
];
pub(crate) const ANSYS_WORDS: &[&[u8]] = &[
    b"NBLOCK,6,SOLID,1,1\n(3i9,6e21.13e3)\n",
    b"EBLOCK,19,SOLID,1,1\n(19i9)\n",
    b"(1i1,1e1.1)\n",
    b"(100i100)\n",
    b"CMBLOCK,A,NODE,2\n(8i10)\n         1-200000000\n",
    b"ET,1,188\n",
    b"RLBLOCK,1\n(2i8,6g16.9)\n(7g16.9)\n",
    b"SECBLOCK,4000000000\n",
    b"CE,R5.0,DEFI,2,1,0.\n",
    b"-1\n",
    b",",
    b"\n",
];
pub(crate) const UNIVERSAL_WORDS: &[&[u8]] = &[
    b"    -1\n",
    b"  2411\n",
    b"  2412\n",
    b"  2467\n",
    b"         1",
    b"2147483647",
    b"1.0D+400",
    b"-1",
    b"\n",
];

pub(crate) const SID_WORDS: &[&[u8]] = &[
    b"new node                        =    1\n",
    b"m0( 1, 1)             = 1.0\n",
    b"m1( 1, 1, 1)          = 1.0\n",
    b"m1( 65536, 65536, 65536) = 1.0\n",
    b"nrow                  = 65536\n",
    b"structure             =    4\n",
    b"end origin\n",
    b"end modal \n",
    b"=",
    b"(",
    b"1.0D+400",
    b"0",
    b"\n",
];

fn mesh(name: &str, bytes: &[u8]) {
    let read = read_cards_from(name, bytes.to_vec(), &mut |_| Err(std::io::ErrorKind::NotFound.into()));
    let deck = deck_from_cards(read, &Options::default());
    for span in deck.diagnostics.iter().filter_map(|diagnostic| diagnostic.span) {
        let span = deck.output.sources.shown(span);
        let at = deck.output.sources.line_column(span);
        deck.output.sources.file(span.file).line_text(at.line);
    }
    if !deck.diagnostics.has_errors() {
        for target in [Abaqus, Ansys, Gmsh, Universal, Vtu] {
            pliant_exchange::write(&deck.output.mesh, target);
        }
    }
}

pub(crate) fn gmsh(bytes: &[u8]) {
    mesh("a.msh", bytes);
}

pub(crate) fn abaqus(bytes: &[u8]) {
    mesh("a.inp", bytes);
}

pub(crate) fn ansys(bytes: &[u8]) {
    mesh("a.cdb", bytes);
}

pub(crate) fn universal(bytes: &[u8]) {
    mesh("a.unv", bytes);
}

pub(crate) fn gmsh_files() -> Vec<Vec<u8>> {
    texts("tests/decks/exchange", &["msh"])
}

pub(crate) fn abaqus_files() -> Vec<Vec<u8>> {
    texts("tests/decks/exchange", &["inp"])
}

pub(crate) fn ansys_files() -> Vec<Vec<u8>> {
    texts("tests/decks/exchange", &["cdb"])
}

pub(crate) fn universal_files() -> Vec<Vec<u8>> {
    texts("tests/decks/exchange", &["unv"])
}

/// Standard input data: as far as its nodes, the body in its own frame, and its text.
pub(crate) fn sid(bytes: &[u8]) {
    mesh("a.SID_FEM", bytes);
    if let Ok(sid) = pliant_exchange::Sid::read(bytes, pliant_diag::FileId(0)) {
        let _ = pliant_reduce::import::sid_invariants(&sid);
        let again = pliant_exchange::Sid::read(sid.text().as_bytes(), pliant_diag::FileId(0));
        assert!(again.is_ok(), "what is written can be read");
    }
}

pub(crate) fn sid_files() -> Vec<Vec<u8>> {
    texts("tests/decks/exchange", &["SID_FEM"])
}
