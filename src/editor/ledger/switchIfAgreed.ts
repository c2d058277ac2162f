import { joined, shown, type ShownText } from "../../core/text/shownText.ts";
import { UserCancelled } from "../ui/action.ts";
import { pick } from "../ui/questions.ts";
import type { SwitchParts } from "./ledgerParts.ts";
import type { NetworkChoice } from "./networkChoice.ts";

/** What a question says. */
interface SwitchWords {
  readonly title: ShownText;
  readonly placeholder: ShownText;
  /** What comes of switching. */
  readonly switches: ShownText;
  /** What comes of staying. */
  readonly stays: ShownText;
}

/**
 * Switches to a network when the user agrees, who sees where it leads. It is the network that was shown that is switched to.
 *
 * @throws UserCancelled when the user stays
 */
export async function switchIfAgreed(
  { network, networks }: SwitchParts,
  wanted: NetworkChoice,
  words: SwitchWords,
): Promise<void> {
  const chosen = network();
  const isAgreed = await pick(
    { title: words.title, step: 1, totalSteps: 1, canGoBack: false },
    {
      placeholder: words.placeholder,
      choices: [
        {
          label: shown`Switch to ${wanted.name}`,
          detail: joined([words.switches, networks.places(wanted)], ": "),
          value: true,
          sends: true,
        },
        { label: shown`Stay on ${chosen.name}`, detail: words.stays, value: false },
      ],
    },
  );
  if (!isAgreed) throw new UserCancelled();
  await networks.use(wanted);
}
