// keelson telemetry keys create | list | revoke, forget, backfill, regroup, usage, seal.

import type { CommandAnswer, CommandCall, CommandHost, PluginCommand } from '@keelson/sdk'
import { KeelsonError } from '@keelson/sdk'
import { createKeyStore, type KeyStore } from '../keys/key-store.ts'
import type { CreateKeyOptions, KeyRow } from '../schemas/system.ts'
import type { StoredKey } from '../storage/stored-key.ts'
import { runBackfill } from './backfill.ts'
import { forget } from './forget.ts'
import { runRegroup } from './regroup.ts'
import { seal } from './seal.ts'
import { usage } from './usage.ts'

const storeOf = (host: CommandHost): KeyStore =>
  createKeyStore(host.collection<StoredKey>('telemetry_keys'), host.clock, () => undefined)

const textOption = (call: CommandCall, name: string): string | undefined => {
  const value = call.options[name]
  return typeof value === 'string' ? value : undefined
}

const listOption = (call: CommandCall, name: string): readonly string[] => {
  const value = call.options[name]
  return Array.isArray(value) ? value.map(String) : []
}

async function create(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  const tenantId = textOption(call, 'tenant')
  const rate = textOption(call, 'max-per-minute')
  const kinds = listOption(call, 'kind-allowed')
  const names = listOption(call, 'name-allowed')
  const options = {
    kind: textOption(call, 'kind') ?? 'secret',
    tenantMode: textOption(call, 'tenant-mode') ?? 'fixed',
    service: textOption(call, 'service') ?? 'default',
    env: textOption(call, 'env') ?? 'prod',
    origins: listOption(call, 'origin'),
    ...(tenantId !== undefined && { tenantId }),
    ...(call.options['label'] !== undefined && { label: textOption(call, 'label') }),
    ...(rate !== undefined && { maxPerMinute: Number(rate) }),
    ...(kinds.length > 0 && { allowedKinds: kinds }),
    ...(names.length > 0 && { allowedNames: names })
  } as CreateKeyOptions
  try {
    const created = await storeOf(host).createKey(options)
    return {
      json: created,
      text: `${created.key}\nKeep it: it is shown this once. Its id is ${created.id}.`
    }
  } catch (error) {
    if (KeelsonError.is(error) && error.code === 'TEL_KEY_INVALID') {
      return { wrongUse: error.message }
    }
    throw error
  }
}

async function list(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  const items = await storeOf(host).listKeys(textOption(call, 'tenant') ?? '*')
  return { json: { items }, text: items.length === 0 ? 'There are no keys.' : keyTable(items) }
}

function keyTable(items: readonly KeyRow[]): string {
  const rows = items.map((key) => [
    key.id,
    key.kind,
    key.tenantId ?? key.tenantMode,
    key.service,
    key.env,
    key.revokedAt === null ? 'active' : `revoked ${key.revokedAt.toISOString()}`
  ])
  return rows.map((row) => row.join('  ')).join('\n')
}

async function revoke(host: CommandHost, call: CommandCall): Promise<CommandAnswer> {
  const id = call.args[0] ?? ''
  const result = await storeOf(host).revokeKey(id, '*')
  return result.revoked === 1
    ? { json: result, text: `Revoked. Running hosts notice within a minute.` }
    : { json: result, text: `There is no active key ${id}.`, failed: true }
}

const commands: readonly PluginCommand[] = [
  {
    name: 'keys create',
    summary: 'Makes an ingest key and prints it, this once.',
    options: {
      kind: { type: 'string', description: 'secret (default) or publishable.' },
      tenant: { type: 'string', description: 'The tenant of a fixed key.' },
      'tenant-mode': { type: 'string', description: 'fixed (default), session or claimed.' },
      service: { type: 'string', description: 'Stamped on every record. Default: default.' },
      env: { type: 'string', description: 'prod (default), staging or dev.' },
      label: { type: 'string', description: 'Part of the key, for people. Default: live.' },
      origin: {
        type: 'string',
        multiple: true,
        description: 'A browser origin that a publishable key is taken from.'
      },
      'kind-allowed': { type: 'string', multiple: true, description: 'A kind it may write.' },
      'name-allowed': { type: 'string', multiple: true, description: 'A name it may write.' },
      'max-per-minute': {
        type: 'string',
        description:
          'Records a minute. Default: 600,000 for a secret key, 600 for a publishable one.'
      }
    },
    run: create
  },
  {
    name: 'keys list',
    summary: 'Lists the newest 100 ingest keys, without their secrets.',
    options: { tenant: { type: 'string', description: 'Only keys of this tenant.' } },
    run: list
  },
  {
    name: 'keys revoke',
    summary: 'Revokes an ingest key.',
    positionals: '<id>',
    run: revoke
  },
  {
    name: 'forget',
    summary: 'Erases a subject of a tenant and prints what was done.',
    positionals: '<tenant> <type:id>',
    run: forget
  },
  {
    name: 'backfill',
    summary: 'Recounts rollup families from stored records; run again, it goes on.',
    options: {
      family: { type: 'string', description: 'One family. Default: all.' },
      from: { type: 'string', description: 'Buckets from this time on (families with buckets).' },
      to: { type: 'string', description: 'Buckets before this time.' }
    },
    run: runBackfill
  },
  {
    name: 'regroup',
    summary: 'Groups stored errors by the rule of this version; run again, it goes on.',
    options: {
      'dry-run': { type: 'boolean', description: 'Counts what would change, and changes nothing.' },
      tenant: { type: 'string', description: 'Errors of this tenant alone.' }
    },
    run: runRegroup
  },
  {
    name: 'usage',
    summary: 'Shows how much is stored, and for how long.',
    options: { tenant: { type: 'string', description: 'Records of this tenant alone.' } },
    run: usage
  },
  {
    name: 'seal',
    summary: 'Seals older records into columns now.',
    options: {
      before: {
        type: 'string',
        description: 'Records before this time. Default: those older than history.sealAfterHours.'
      },
      tenant: { type: 'string', description: 'Records of this tenant alone.' }
    },
    run: seal
  }
]

export default commands
