import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { PATIENCE_MS } from "../rig/eventually.ts";
import { freePort } from "../rig/editorServer.ts";

/** Calls a node. */
export type Rpc = <T = unknown>(method: string, ...params: unknown[]) => Promise<T>;

/** A running chain of its own. */
export interface Chain {
  readonly chainId: string;
  readonly rpcUrl: string;
  readonly rpc: Rpc;
  /** Sends creation bytecode, from the first account by default, and waits for the receipt. */
  deploy(bytecode: string, sender?: string): Promise<DeployedCode>;
  stop(): Promise<void>;
}

/** What a creation transaction brought about. */
export interface DeployedCode {
  /** Lower case, as the receipt has it. */
  readonly address: string;
  readonly transactionHash: string;
}

interface Receipt {
  readonly contractAddress: string;
  readonly status: string;
  readonly logs: readonly { readonly data: string }[];
}

/** Mining goes on beside the answer to a sent transaction, so the receipt may come a moment later. */
export async function receiptOf({ rpc }: Pick<Chain, "rpc">, transactionHash: string): Promise<Receipt> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const receipt = await rpc<Receipt | null>("eth_getTransactionReceipt", transactionHash);
    if (receipt) return receipt;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The transaction ${transactionHash} was not mined.`);
}

/** The binary of the npm package, which there is for Linux on x64; elsewhere the one on the PATH. */
function findAnvil(): string {
  try {
    return createRequire(import.meta.url).resolve("@foundry-rs/anvil-linux-amd64/bin/anvil");
  } catch {
    return "anvil";
  }
}

/** Calls the node at an address. */
export function rpcOf(rpcUrl: string): Rpc {
  let id = 0;
  return async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const response = await fetch(rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
}

/** Starts anvil on loopback: a real EVM chain that mines every transaction at once. */
export async function startChain({ chainId = "31337" } = {}): Promise<Chain> {
  const port = await freePort();
  const child = spawn(findAnvil(), ["--port", String(port), "--chain-id", chainId, "--quiet"], {
    stdio: "ignore",
  });
  const stopAtExit = () => child.kill("SIGKILL");
  process.on("exit", stopAtExit);
  const rpcUrl = `http://127.0.0.1:${port}`;

  const rpc = rpcOf(rpcUrl);

  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    const answer = await rpc<string>("eth_chainId").catch(() => undefined);
    if (answer !== undefined) break;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error("anvil did not start");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const [account] = await rpc<string[]>("eth_accounts");

  return {
    chainId,
    rpcUrl,
    rpc,
    async deploy(bytecode, from = account) {
      const transactionHash = await rpc<string>("eth_sendTransaction", {
        from,
        data: bytecode,
        gas: "0x1c9c380",
      });
      const receipt = await receiptOf({ rpc }, transactionHash);
      if (receipt.status !== "0x1") throw new Error(`The deployment ${transactionHash} reverted.`);
      return { address: receipt.contractAddress, transactionHash };
    },
    async stop() {
      process.off("exit", stopAtExit);
      if (child.exitCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}
