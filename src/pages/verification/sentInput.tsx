import { t } from "@vscode/l10n";
import type { PageButton, SentSummary } from "../../core/jobs/page/pageModel.ts";
import { FactList } from "../factList.tsx";
import { Fold, type KeptFold } from "./fold.tsx";
import { Press } from "./press.tsx";

const PLACES = { project: "", dependency: t`dependency`, outside: t`outside the project` } as const;

/** What was sent or compiled: compiler, settings, and the files with their sizes. */
export function SentInput({
  sent: { brief, facts, files, fileCount },
  buttons,
  hasFiles,
  fold,
  press,
  openFile,
}: {
  readonly sent: SentSummary;
  readonly buttons: readonly PageButton[];
  readonly hasFiles: boolean;
  readonly fold: KeptFold;
  readonly press: (id: string) => void;
  readonly openFile: (at: number) => void;
}) {
  const hasPlaces = files.some(({ place }) => place !== undefined && place !== "project");
  return (
    <>
      <p>
        {brief}{" "}
        {buttons.map((button) => (
          <Press key={button.id} button={button} press={press} />
        ))}
      </p>
      <Fold summary={t`Settings and files`} fold={fold}>
        <FactList facts={facts} isTall />
        <table>
          <thead>
            <tr>
              <th scope="col">{t`File`}</th>
              <th scope="col" class="number">
                {t`Bytes`}
              </th>
              {hasPlaces && <th scope="col">{t`From`}</th>}
            </tr>
          </thead>
          <tbody>
            {files.map(({ name, bytes, place }, at) => (
              <tr key={at}>
                <td title={name}>
                  {hasFiles ? (
                    <button
                      type="button"
                      class="link"
                      title={t`Open ${name} as it was compiled`}
                      onClick={() => openFile(at)}
                    >
                      {name}
                    </button>
                  ) : (
                    name
                  )}
                </td>
                <td class="number">{bytes.toLocaleString("en-US")}</td>
                {hasPlaces && <td>{place === undefined ? "" : PLACES[place]}</td>}
              </tr>
            ))}
          </tbody>
        </table>
        {fileCount > files.length && (
          <p class="note">
            {fileCount - files.length === 1
              ? t`1 more file is in the compiler input.`
              : t`${(fileCount - files.length).toLocaleString("en-US")} more files are in the compiler input.`}
          </p>
        )}
      </Fold>
    </>
  );
}
