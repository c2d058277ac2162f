import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** Whether something was unfolded when the page was last seen, and what keeps that. */
export interface KeptFold {
  readonly isOpen: boolean;
  readonly keepOpen: (isOpen: boolean) => void;
}

/** Something to unfold, which comes back as it was left. */
export function Fold({
  summary,
  fold: { isOpen, keepOpen },
  children,
}: {
  readonly summary: string;
  readonly fold: KeptFold;
  readonly children: ComponentChildren;
}) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        keepOpen(currentTarget.open);
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
