//! Lookups: a field with a number in, a row of the mesh out, or a report that says what is missing.

use pliant_diag::Severity;
use pliant_mesh::element::ElementRef;
use pliant_mesh::{Component, Components, CoordIndex, MaterialIndex, MaterialLaw, NodeIndex, NodeKind};

use super::Builder;
use crate::cards::Class;
use crate::list::{IdList, IdRange};
use crate::number::parse_integer;
use crate::typed::Reader;

impl Builder {
    /// The grid or scalar point in a field.
    #[inline]
    pub(crate) fn node(&self, r: &mut Reader<'_>, slot: usize, name: &str) -> Option<NodeIndex> {
        let id = r.id(slot, name)?;
        self.node_with_id(r, slot, name, id)
    }

    /// The grid or scalar point with a number that stands in a field.
    #[inline]
    pub(crate) fn node_with_id(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
        id: u32,
    ) -> Option<NodeIndex> {
        match self.nodes.get(id) {
            Some(row) => Some(NodeIndex(row)),
            None => {
                self.missing(r, slot, name, Class::Point, id, "GRID");
                None
            }
        }
    }

    /// The node with a number, without complaint when there is none.
    pub(crate) fn find_node(&self, id: u32) -> Option<NodeIndex> {
        self.nodes.get(id).map(NodeIndex)
    }

    /// The grid in a field; a scalar point has no position and is refused.
    #[inline]
    pub(crate) fn grid(&self, r: &mut Reader<'_>, slot: usize, name: &str) -> Option<NodeIndex> {
        let node = self.node(r, slot, name)?;
        if self.has_scalar_points { self.as_grid(r, slot, name, node) } else { Some(node) }
    }

    /// The grid in a field, or nothing when it is blank. The outer `None` means that it was bad.
    pub(crate) fn optional_grid(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
    ) -> Option<Option<NodeIndex>> {
        if r.is_blank(slot) { Some(None) } else { self.grid(r, slot, name).map(Some) }
    }

    fn as_grid(&self, r: &mut Reader<'_>, slot: usize, name: &str, node: NodeIndex) -> Option<NodeIndex> {
        let found = &self.mesh.nodes[node.index()];
        if found.kind == NodeKind::Grid {
            return Some(node);
        }
        r.error(slot, name, format!("{} is a scalar point, a GRID is needed", found.id));
        None
    }

    /// The nodes of the list that begins in slot `first`, in its order. Numbers inside a THRU range need not
    /// exist; those named must.
    pub(crate) fn nodes_of(
        &self,
        r: &mut Reader<'_>,
        first: usize,
        name: &str,
        list: &IdList,
    ) -> Option<Vec<NodeIndex>> {
        let nodes = &self.mesh.nodes;
        let within = |range: &IdRange| {
            let first = nodes.partition_point(|n| n.id.0 < range.first);
            let end = nodes.partition_point(|n| n.id.0 <= range.last);
            let own = (first..end).filter(|row| range.contains(nodes[*row].id.0)).map(NodeIndex::from);
            let joined = self.superelements.aliases_within(range.first, range.last);
            let joined = joined.filter(|(id, _)| {
                range.contains(*id) && !list.excluded.iter().any(|excluded| excluded.contains(*id))
            });
            own.chain(joined.map(|(_, node)| node)).collect()
        };
        let find = |id| self.find_node(id);
        let mut found = self.members(r, first, name, list, ("GRID", Class::Point), &find, &within)?;
        found.retain(|node| !list.excluded.iter().any(|range| range.contains(nodes[node.index()].id.0)));
        Some(found)
    }

    /// The elements of a list, as [`Self::nodes_of`].
    pub(crate) fn elements_of(
        &self,
        r: &mut Reader<'_>,
        first: usize,
        name: &str,
        list: &IdList,
    ) -> Option<Vec<ElementRef>> {
        let elements = &self.elements;
        let within = |range: &IdRange| {
            let first = elements.partition_point(|(id, _)| *id < range.first);
            let end = elements.partition_point(|(id, _)| *id <= range.last);
            let named = |(id, _): &&(u32, ElementRef)| {
                range.contains(*id) && !list.excluded.iter().any(|range| range.contains(*id))
            };
            elements[first..end].iter().filter(named).map(|(_, element)| *element).collect()
        };
        let find = |id| self.find_element(id);
        self.members(r, first, name, list, ("element", Class::Element), &find, &within)
    }

    #[expect(clippy::too_many_arguments, reason = "the two callers differ in exactly these")]
    fn members<T>(
        &self,
        r: &mut Reader<'_>,
        first: usize,
        name: &str,
        list: &IdList,
        (what, class): (&str, Class),
        find: &dyn Fn(u32) -> Option<T>,
        within: &dyn Fn(&IdRange) -> Vec<T>,
    ) -> Option<Vec<T>> {
        if list.all {
            let all = within(&IdRange { first: 1, last: u32::MAX, step: 1 });
            self.spend(r, first, name, all.len())?;
            return Some(all);
        }
        let mut members = Vec::with_capacity(list.ranges.len());
        let mut good = true;
        for range in &list.ranges {
            if range.first == range.last {
                match find(range.first) {
                    Some(member) => members.push(member),
                    None => {
                        self.missing(r, slot_of(r, first, range.first), name, class, range.first, what);
                        good = false;
                    }
                }
                continue;
            }
            let some = within(range);
            if some.is_empty() {
                let message = format!("no {what} exists from {} to {}", range.first, range.last);
                r.warning(slot_of(r, first, range.first), name, message);
            }
            self.spend(r, slot_of(r, first, range.first), name, some.len())?;
            members.extend(some);
        }
        good.then_some(members)
    }

    /// The ids of a list, all of them, whether they exist or not.
    pub(crate) fn expanded(
        &self,
        r: &mut Reader<'_>,
        first: usize,
        name: &str,
        list: &IdList,
    ) -> Option<Vec<u32>> {
        let ids = list.expand(self.expansion.get() as u64);
        // More than there is room for: the report is that of the budget.
        self.spend(r, first, name, ids.as_ref().map_or(usize::MAX, Vec::len))?;
        ids
    }

    /// Takes from what lists may still expand to; complains when it is used up.
    fn spend(&self, r: &mut Reader<'_>, slot: usize, name: &str, count: usize) -> Option<()> {
        match self.expansion.get().checked_sub(count) {
            Some(left) => {
                self.expansion.set(left);
                Some(())
            }
            None => {
                r.error(slot, name, "the lists of this deck have more entries than are supported");
                None
            }
        }
    }

    /// Components of a node in a field: of a scalar point 0, 1 or blank, of a grid at least one of 1 to 6.
    pub(crate) fn components_of(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
        node: NodeIndex,
    ) -> Option<Components> {
        let components = r.components(slot, name)?;
        let first = Components::one(Component::from_row(0));
        match self.mesh.nodes[node.index()].kind {
            NodeKind::Scalar if components.is_empty() || components == first => Some(first),
            NodeKind::Scalar => {
                r.error(slot, name, "a scalar point has only component 0 or 1");
                None
            }
            NodeKind::Grid if components.is_empty() => {
                r.error(slot, name, "a GRID needs a component from 1 to 6");
                None
            }
            NodeKind::Grid => Some(components),
        }
    }

    /// Exactly one component of a node.
    pub(crate) fn component_of(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
        node: NodeIndex,
    ) -> Option<Component> {
        let components = self.components_of(r, slot, name, node)?;
        let mut each = components.iter();
        match (each.next(), each.next()) {
            (Some(component), None) => Some(component),
            _ => {
                r.error(slot, name, format!("expected one component, found `{components}`"));
                None
            }
        }
    }

    /// The coordinate system in a field; blank and 0 are the basic frame.
    #[inline]
    pub(crate) fn frame(&self, r: &mut Reader<'_>, slot: usize, name: &str) -> Option<CoordIndex> {
        if r.is_blank(slot) {
            return Some(CoordIndex::BASIC);
        }
        let id = r.integer(slot, name)?;
        self.frame_with_id(r, slot, name, id)
    }

    /// The coordinate system with a number that stands in a field.
    pub(crate) fn frame_with_id(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
        id: i64,
    ) -> Option<CoordIndex> {
        let Ok(id) = u32::try_from(id) else {
            r.error(slot, name, format!("expected the number of a coordinate system, found `{id}`"));
            return None;
        };
        if id == 0 {
            return Some(CoordIndex::BASIC);
        }
        let found = self.coordinates.get(&id).copied();
        if found.is_none() {
            self.missing(r, slot, name, Class::Coordinate, id, "coordinate system");
        }
        found
    }

    /// The material in a field.
    pub(crate) fn material(&self, r: &mut Reader<'_>, slot: usize, name: &str) -> Option<MaterialIndex> {
        let id = r.id(slot, name)?;
        self.material_with_id(r, slot, name, id)
    }

    /// The material with a number that stands in a field.
    pub(crate) fn material_with_id(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
        id: u32,
    ) -> Option<MaterialIndex> {
        let found = self.materials.get(&id).copied();
        if found.is_none() {
            self.missing(r, slot, name, Class::Material, id, "material");
        }
        found
    }

    /// The MAT1 in a field: what rods, bars and shear panels need.
    pub(crate) fn isotropic(&self, r: &mut Reader<'_>, slot: usize, name: &str) -> Option<MaterialIndex> {
        self.material_of(r, slot, name, "MAT1", |law| matches!(law, MaterialLaw::Isotropic { .. }))
    }

    /// The material in a field, of a kind that the card can use.
    pub(crate) fn material_of(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
        wanted: &str,
        fits: fn(&MaterialLaw) -> bool,
    ) -> Option<MaterialIndex> {
        let material = self.material(r, slot, name)?;
        let found = &self.mesh.materials[material.index()];
        if fits(&found.law) {
            return Some(material);
        }
        let message =
            format!("{} {} cannot be used here, {wanted} is needed", law_card(&found.law), found.id);
        r.error(slot, name, message);
        None
    }

    /// The element with a number that stands in a field.
    pub(crate) fn element_with_id(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
        id: u32,
    ) -> Option<ElementRef> {
        let found = self.find_element(id);
        if found.is_none() {
            self.missing(r, slot, name, Class::Element, id, "element");
        }
        found
    }

    /// The element with a number.
    pub(crate) fn find_element(&self, id: u32) -> Option<ElementRef> {
        let row = self.elements.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.elements[row].1)
    }

    /// Says that something does not exist, unless its own card was already found to be bad.
    #[cold]
    pub(super) fn missing(
        &self,
        r: &mut Reader<'_>,
        slot: usize,
        name: &str,
        class: Class,
        id: u32,
        what: &str,
    ) {
        if self.broken.contains(&(class, id)) {
            return;
        }
        match self.foreign.get(&(class, id)) {
            Some((card, span)) => {
                let problem = r
                    .problem(
                        Severity::Error,
                        slot,
                        name,
                        format!("refers to {card} {id}, which Pliant does not read"),
                    )
                    .hint(format!("{card} is not supported; the part would be missing from the model"))
                    .related(*span, format!("{card} {id} is here"));
                r.report(problem);
            }
            None => r.error(slot, name, format!("{what} {id} does not exist")),
        }
    }
}

/// The card a law comes from.
pub(crate) fn law_card(law: &MaterialLaw) -> &'static str {
    match law {
        MaterialLaw::Isotropic { .. } => "MAT1",
        MaterialLaw::Anisotropic2d { .. } => "MAT2",
        MaterialLaw::Orthotropic2d { .. } => "MAT8",
        MaterialLaw::Anisotropic3d { .. } => "MAT9",
    }
}

/// Where a number stands on a card, from a slot on; for a report.
fn slot_of(r: &Reader<'_>, first: usize, id: u32) -> usize {
    let holds = |slot: &usize| parse_integer(r.fields().get(*slot).text) == Some(i64::from(id));
    (first..r.len()).find(holds).unwrap_or(first)
}
