import type { PageButton } from "../../core/jobs/page/pageModel.ts";

/** A button that says what it does. */
export function Press({
  button: { id, label, title },
  press,
  isPrimary = false,
  isLink = false,
}: {
  readonly button: PageButton;
  readonly press: (id: string) => void;
  readonly isPrimary?: boolean;
  readonly isLink?: boolean;
}) {
  return (
    <button
      type="button"
      class={isPrimary ? "primary" : isLink ? "link" : ""}
      title={title ?? label}
      onClick={() => press(id)}
    >
      {label}
    </button>
  );
}
