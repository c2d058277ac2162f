/** The place of what has none yet: before all that have one. */
const NEW = -1;

/**
 * Items in the places that they had: one that is opened again stays where it stands. What was not there comes first;
 * pinned ones stand above all.
 *
 * @param items in the order in which new ones stand
 * @param before the ids of the items as they stood
 */
export function inTheirPlaces<Item extends { readonly id: string; readonly pinned: boolean }>(
  items: readonly Item[],
  before: readonly string[],
): Item[] {
  const places = new Map(before.map((id, at) => [id, at]));
  const placeOf = ({ id }: Item) => places.get(id) ?? NEW;
  return items.toSorted(
    (one, other) => Number(other.pinned) - Number(one.pinned) || placeOf(one) - placeOf(other),
  );
}
