//! Cards that are known and not read: what they would have meant, in one table.

use crate::field::Fields;

/// A card that Pliant knows and does not use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnusedCard {
    /// Name; a `*` at the end stands for anything.
    pub(crate) name: &'static str,
    /// What it would have meant.
    pub(crate) meaning: &'static str,
    /// True when the link would be another structure without it, so that it is refused.
    pub(crate) structural: bool,
}

const fn group(meaning: &'static str, names: &'static [&'static str]) -> Group {
    Group { meaning, names, structural: false }
}

const fn refused(meaning: &'static str, names: &'static [&'static str]) -> Group {
    Group { meaning, names, structural: true }
}

struct Group {
    meaning: &'static str,
    names: &'static [&'static str],
    structural: bool,
}

/// The table. Refused cards come first, so that `C*` patterns below cannot hide them.
const GROUPS: &[Group] = &[
    refused("a gap or contact element", &["CGAP"]),
    refused("a curved bar", &["CBEND"]),
    refused("a three-node beam", &["CBEAM3"]),
    refused("a bushing of one or two dimensions", &["CBUSH1D", "CBUSH2D"]),
    refused("a weld, fastener or seam", &["CWELD", "CFAST", "CSEAM", "CGWELD"]),
    refused(
        "an axisymmetric element",
        &["CTRIAX", "CTRIAX6", "CQUADX", "CQUADX4", "CQUADX8", "CTRAX3", "CTRAX6", "CCONEAX"],
    ),
    refused(
        "a hyperelastic or plane element",
        &[
            "CQUAD", "CTRIA", "CPLSTN3", "CPLSTN4", "CPLSTN6", "CPLSTN8", "CPLSTS3", "CPLSTS4", "CPLSTS6",
            "CPLSTS8",
        ],
    ),
    refused("a crack tip element", &["CRAC2D", "CRAC3D"]),
    refused(
        "a fluid or acoustic element",
        &[
            "CHACAB", "CHACBR", "CSLOT3", "CSLOT4", "CAXIF2", "CAXIF3", "CAXIF4", "CFLUID2", "CFLUID3",
            "CFLUID4", "CHADV",
        ],
    ),
    refused("a general element given by its matrix", &["GENEL"]),
    refused("a damper or mass of another kind", &["CDAMP5", "CDUMMY", "CDUM1", "CDUM2"]),
    refused("a cohesive or interface element", &["CIFHEX", "CIFPENT", "CIFQDX", "CIFQUAD"]),
    refused(
        "a rigid or interpolation element",
        &[
            "RSPLINE", "RSSCON", "RJOINT", "RTRPLT", "RTRPLT1", "RBE2GS", "RBAR1", "RBE2F", "RBAX3D",
            "CRBAR", "CRBE1", "CRBE2", "CRBE3", "CRROD", "CRTRPLT",
        ],
    ),
    refused(
        "superelements that are moved, mirrored or partly released: they would stay where their cards have them",
        &["SELOC", "SEMPLN", "SEEXCLD", "RELEASE"],
    ),
    refused("superelements from elsewhere, which would be missing", &["CSUPER", "CSUPEXT"]),
    group(
        "a coordinate system of kinds for materials or plotting",
        &["CORD3G", "CORD1RX", "CORD2RX", "CORD3R"],
    ),
    group("superelement bookkeeping; a link is all its parts together", &["SE*", "CSUP"]),
    group(
        "aerodynamics",
        &[
            "AE*", "CAERO*", "PAERO*", "SPLINE*", "FLFACT", "FLUTTER", "MKAERO*", "TRIM*", "GUST", "DIVERG",
            "CSSCHD", "MONPNT*", "MONDSP*", "MONCNCM", "UXVEC",
        ],
    ),
    group(
        "heat transfer",
        &[
            "CHBDY*", "PHBDY", "CONV*", "PCONV*", "QBDY*", "QHBDY", "QVECT", "QVOL", "RAD*", "VIEW*",
            "TEMPBC", "MAT4", "MAT5", "MATT4", "MATT5", "PRADM",
        ],
    ),
    group("bolts and their preload", &["BOLT*"]),
    group("residual vectors of modal solutions", &["RVDOF", "RVDOF1", "RVEL"]),
    group(
        "materials that change with temperature, stress or load",
        &["MATT1", "MATT2", "MATT8", "MATT9", "MATS1", "MATF*", "MATTC", "CREEP"],
    ),
    group("tables", &["TABLE*", "TABD*", "TABR*", "TABDMP1", "TABRND1", "TABLED*", "TABLEM*", "TABLES1"]),
    group(
        "dynamic loads and their timing",
        &[
            "DLOAD", "DAREA", "DELAY", "DPHASE", "RLOAD*", "TLOAD*", "LSEQ", "TSTEP*", "TIC", "FREQ*",
            "RANDPS", "RANDT1", "ACSRCE", "NOLIN*", "SPCR", "RCROSS", "DYNRED",
        ],
    ),
    group(
        "other eigenvalue methods",
        &["EIGB", "EIGC", "EIGP", "MODTRAK", "ROTOR*", "RGYRO", "RSPIN*", "UNBALNC", "CAMPBLL"],
    ),
    group("nonlinear solution control", &["NLPARM", "NLPCI", "NLSTEP", "NLMOPTS", "NLAUTO"]),
    group(
        "optimisation",
        &[
            "DES*", "DVPREL*", "DVCREL*", "DVMREL*", "DVSET", "DRESP*", "DCON*", "DOPTPRM", "DLINK",
            "DTABLE*", "DVGRID", "DVBSHAP", "DSCREEN", "DDVAL", "DEQATN", "TOPVAR", "TOMVAR", "BEADVAR",
            "DVGEOM", "DVLREL*", "DCONADD", "DREPORT", "DVCREL*", "STOCHAS",
        ],
    ),
    group(
        "matrices and tables by name",
        &["DMI", "DMIJ*", "DMIK", "DMIAX", "DTI", "TF", "DMIGOUT", "DMIGROT"],
    ),
    group(
        "sets that the link does not need",
        &[
            "USET*", "SET2", "SET3", "SET4", "ASETIN", "FLSYM", "OUTPUT", "PARVEC*", "BOUTPUT", "PSET",
            "TEMPG",
        ],
    ),
    group("stress output at points of bars", &["CBARAO"]),
    group(
        "output, bookkeeping and program control",
        &[
            "BEGIN", "ECHOON", "ECHOOFF", "ENDDATA", "MDLPRM", "DEBUG", "SNORM", "SYSTEM", "NASTRAN",
            "RESTART", "PARAMARM", "MDB*", "GRDPNT", "SWLDPRM", "SEQGP", "SEQEP", "ITER", "DOMAIN", "DUMMY",
            "MONSUM", "FEEDGE", "FEFACE", "GMCURV", "GMSURF", "HYBDAMP", "SDAMP", "VCOV", "MBOLT*",
            "PLOTEL3", "PLOTEL4", "CYAX", "CYJOIN", "CYSYM", "CYSUP", "ADUM*", "CONTRLT", "BLDOUT",
        ],
    ),
    group("points of kinds without stiffness", &["EPOINT", "GRIDB", "POINT", "GRIDF", "GRIDS", "EGRID"]),
    group("loads of other solutions and of superelements", &["ACLOAD", "LOADT", "CLOAD", "PRESPT"]),
    group(
        "constraints of kinds that are not read",
        &["SPCAX", "SPCOFF*", "SUPAX", "SUPORT6", "MPCAX", "MPCY", "OMITAX", "SESUP*"],
    ),
    group(
        "a property of elements that are not supported",
        &[
            "PGAP", "PBEND", "PBEAM3", "PBUSH1D", "PBUSHT", "PELAST", "PDAMPT", "PDAMP5", "PWELD", "PFAST",
            "PSEAM", "PBCOMP", "PLPLANE", "PLSOLID", "PCOMPLS", "PCOMPS", "PACABS", "PACBAR", "PBRSECT",
            "PBMSECT", "PCONEAX", "PDUM*", "PHBDY", "PRAC2D", "PRAC3D", "PSHLN*", "PSLDN1", "PVAL", "PINTC",
            "PINTS", "PAABSF", "PBARN1", "PBEMN1", "PRODN1", "PCOHE", "PSHEARN", "PLCOMP", "PTRIA*",
            "PQUAD*", "PTRMEM", "PQDMEM*", "PBEADV", "PSET*",
        ],
    ),
    group(
        "a material of kinds that are not supported",
        &[
            "MAT3", "MAT10", "MAT11", "MATHE", "MATHP", "MATG", "MATVE", "MATVP", "MATEP", "MATSMA",
            "MATNLE*", "MATUSR", "MATVORT", "MATCID", "MATORT", "MATT3", "MATT11", "MATFT", "MATPOR",
        ],
    ),
];

/// True for a BOLT of MSC, which lists the grids on both sides of a cut through the mesh and ties them
/// together. That of NX names elements and acts only with its load.
pub(crate) fn cuts_the_bolt(fields: &Fields<'_>) -> bool {
    fields
        .iter()
        .any(|field| field.text.eq_ignore_ascii_case(b"TOP") || field.text.eq_ignore_ascii_case(b"BOTTOM"))
}

/// The entry of a name.
pub(crate) fn unused(name: &str) -> Option<&'static UnusedCard> {
    static ALL: std::sync::LazyLock<Vec<UnusedCard>> = std::sync::LazyLock::new(|| {
        let entries = |group: &'static Group| {
            group.names.iter().map(|name| UnusedCard {
                name,
                meaning: group.meaning,
                structural: group.structural,
            })
        };
        GROUPS.iter().flat_map(entries).collect()
    });
    let fits = |card: &&UnusedCard| match card.name.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => card.name == name,
    };
    ALL.iter().find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::CardName;
    use crate::cards::Registry;

    #[test]
    fn no_card_is_both_used_and_unused() {
        let registry = Registry::new();
        for group in GROUPS {
            for name in group.names.iter().filter(|name| !name.ends_with('*')) {
                let known = registry.get(CardName::new(name.as_bytes()));
                assert!(known.is_none(), "{name} is in both tables");
            }
        }
    }

    #[test]
    fn patterns_and_refusals_are_found() {
        assert!(unused("CGAP").is_some_and(|c| c.structural));
        assert!(unused("CAERO1").is_some_and(|c| !c.structural));
        assert!(unused("SEBULK").is_some());
        assert_eq!(unused("CWHAT"), None);
    }
}
