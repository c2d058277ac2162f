import {
  singleComponents,
  type StatusComponent,
  type StatusIncident,
  type StatusSummary,
} from "./statusSummary.ts";

/** What decides which components are watched. */
export interface WatchChoice {
  /**
   * Names of components or groups, as the user gives them: whole names or parts of them, whatever their case;
   * `*` for all. Empty leaves the choice to the network.
   */
  readonly names: readonly string[];
  /** `mainnet`, `testnet`, `previewnet`, or the id of any other ledger. */
  readonly networkId: string;
}

/** The components that are watched. */
export interface Watch {
  readonly ids: ReadonlySet<string>;
  /** Chosen by the user, by the network in use, or by default, which means all. */
  readonly chosenBy: "user" | "network" | "default";
  /** Names of the user's that no component has. */
  readonly unmatched: readonly string[];
  /** "Mainnet" where the network chose. */
  readonly networkWord: string | undefined;
}

const NETWORK_WORDS = ["Mainnet", "Testnet", "Previewnet"] as const;

/**
 * Chooses the components to watch: the user's; else those that name the network in use, in their own name or in
 * their group's; else all. Statuspage knows no other link between a component and a network (the components of
 * status.hedera.com are told apart by their names, with the version in them, which changes).
 */
export function watchedComponents(summary: StatusSummary, choice: WatchChoice): Watch {
  const singles = singleComponents(summary);
  const groupNames = new Map(summary.components.map(({ id, name }) => [id, name]));
  const names = choice.names.map((name) => name.trim()).filter((name) => name !== "");
  const wholeNames = new Set(singles.map(({ name }) => folded(name)));
  const matches = (component: StatusComponent, wanted: string) => {
    // A name that is the whole of one's is that one's, and no part of another.
    if (wholeNames.has(folded(wanted))) return folded(component.name) === folded(wanted);
    const group = component.group_id === null ? "" : (groupNames.get(component.group_id) ?? "");
    return wanted === "*" || [component.name, group].some((name) => folded(name).includes(folded(wanted)));
  };
  const chosen = singles.filter((component) => names.some((name) => matches(component, name)));
  const unmatched = names.filter((name) => !singles.some((component) => matches(component, name)));
  if (chosen.length > 0) return { ids: idsOf(chosen), chosenBy: "user", unmatched, networkWord: undefined };
  const networkWord = NETWORK_WORDS.find((word) => word.toLowerCase() === choice.networkId);
  if (networkWord !== undefined) {
    const ofNetwork = singles.filter((component) => networksOf(component, groupNames).includes(networkWord));
    if (ofNetwork.length > 0) return { ids: idsOf(ofNetwork), chosenBy: "network", unmatched, networkWord };
  }
  return { ids: idsOf(singles), chosenBy: "default", unmatched, networkWord: undefined };
}

/** The public networks that a text names. */
export function networkWordsIn(text: string): string[] {
  return NETWORK_WORDS.filter((word) => new RegExp(`\\b${word}\\b`, "i").test(text));
}

/**
 * Tells whether an incident or a maintenance of a summary touches what is watched: one of its components is; or it names
 * none that is known, and no network but the one that is watched. What it needs of all components is looked up once.
 */
export function touchesWatched(
  { components }: Pick<StatusSummary, "components">,
  watch: Watch,
): (incident: StatusIncident) => boolean {
  const known = new Set(components.map(({ id }) => id));
  const watched = new Set(
    components.flatMap(({ id, group_id }) => (watch.ids.has(id) ? [id, group_id ?? id] : [])),
  );
  return (incident) => {
    const touched = incident.components.filter(({ id }) => known.has(id));
    if (touched.length > 0) return touched.some(({ id }) => watched.has(id));
    const named = networkWordsIn(incident.name);
    return watch.networkWord === undefined || named.length === 0 || named.includes(watch.networkWord);
  };
}

/** The networks that a component's own name tells; its group's counts only where its own tells none. */
function networksOf({ name, group_id }: StatusComponent, groupNames: ReadonlyMap<string, string>): string[] {
  const own = networkWordsIn(name);
  return own.length > 0 || group_id === null ? own : networkWordsIn(groupNames.get(group_id) ?? "");
}

function idsOf(components: readonly StatusComponent[]): ReadonlySet<string> {
  return new Set(components.map(({ id }) => id));
}

/** A name without its case, its spacing and the version that stands in it for a while: "… (v0.66.1) | …". */
function folded(name: string): string {
  return name
    .replace(/\(v\d[^)]*\)/gi, " ")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();
}
