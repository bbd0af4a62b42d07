// The declarations of all names in the database: commands have no plugins that would contribute them.

import type { RegistrySpec } from '../contracts/telemetry-registry.ts'
import { errors } from '../errors.ts'
import { defineRegistry, specOf } from '../registry/registry.ts'
import type { Registry } from '../registry/types.ts'
import type { StorageCollections } from './storage.ts'

const REGISTRY = '$registry'

/** Stores the declarations when they have changed. */
export async function rememberRegistry(
  { checkpoints }: StorageCollections,
  registry: Registry,
  at: Date
): Promise<void> {
  const spec = JSON.stringify(specOf(registry))
  const known = await checkpoints.findOne({ _id: REGISTRY })
  if (known?.spec === spec) return
  await checkpoints.updateOne({ _id: REGISTRY }, { $set: { at, spec } }, { upsert: true })
}

/** @throws TEL_NEVER_STARTED when no host has stored them yet. */
export async function recallRegistry({ checkpoints }: StorageCollections): Promise<Registry> {
  const known = await checkpoints.findOne({ _id: REGISTRY })
  if (known?.spec === undefined) throw errors.TEL_NEVER_STARTED()
  return defineRegistry(JSON.parse(known.spec) as RegistrySpec)
}
