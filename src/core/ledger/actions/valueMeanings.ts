import { t } from "@vscode/l10n";
import { responseCodeName } from "./responseCodes.ts";
import { dateText } from "../references/timestamp.ts";
import type { NamedValue } from "./tokenAmounts.ts";

const MAX_UINT256 = String(2n ** 256n - 1n);
const ZERO_WORD = `0x${"0".repeat(64)}`;

/** Whose greatest number stands for an allowance without a limit. */
const ALLOWANCES: ReadonlySet<string> = new Set([
  "approve(address,uint256)",
  "approve(address,address,uint256)",
  "allowance(address,address)",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
  "Approval(address,address,uint256)",
]);

/** Whose words of 32 bytes are roles of OpenZeppelin's AccessControl. */
const OF_ROLES: ReadonlySet<string> = new Set([
  "hasRole(bytes32,address)",
  "grantRole(bytes32,address)",
  "revokeRole(bytes32,address)",
  "renounceRole(bytes32,address)",
  "getRoleAdmin(bytes32)",
  "getRoleMember(bytes32,uint256)",
  "getRoleMemberCount(bytes32)",
  "getRoleMembers(bytes32)",
  "RoleGranted(bytes32,address,address)",
  "RoleRevoked(bytes32,address,address)",
  "RoleAdminChanged(bytes32,bytes32,bytes32)",
  "AccessControlUnauthorizedAccount(address,bytes32)",
]);

/** How moments are called that contracts compare with `block.timestamp`. */
const MOMENT =
  /(?:deadline|expiry|expiration|expires(?:At)?|valid(?:Until|After|Before)|(?:start|end|unlock)Time|timestamp)$/i;
/** A number of seconds between 2015, when the first of these chains began, and 2100 is such a moment. */
const FIRST_MOMENT = 1_420_070_400;
const LAST_MOMENT = 4_102_444_800;

/** Arguments or results with what some of them mean. */
export function withMeanings(values: readonly NamedValue[], signature: string): readonly NamedValue[] {
  return values.map((value) => {
    const meaning = meaningOf(value, signature);
    return meaning === undefined ? value : { ...value, meaning };
  });
}

function meaningOf({ name, type, text }: NamedValue, signature: string): string | undefined {
  if (text === MAX_UINT256 && ALLOWANCES.has(signature)) return t`unlimited`;
  if (type === "bytes32" && text === ZERO_WORD && OF_ROLES.has(signature)) return "DEFAULT_ADMIN_ROLE";
  if (name !== undefined && MOMENT.test(name) && /^uint\d*$/.test(type)) {
    const seconds = Number(text);
    if (seconds >= FIRST_MOMENT && seconds < LAST_MOMENT) return dateText(text);
  }
  // The interfaces of the network call it so, and have it as a number with a sign.
  return name === "responseCode" && /^int\d*$/.test(type) ? responseCodeName(Number(text)) : undefined;
}
