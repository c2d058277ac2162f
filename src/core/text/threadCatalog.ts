import { workerData } from "node:worker_threads";
import { useCatalog, type Catalog } from "./catalog.ts";

// What a thread says is read where it was asked. This runs before its other modules, of which some make texts once.
useCatalog((workerData as { readonly catalog: Catalog }).catalog);
