// keelson plan: what a start would change in the database.
import type { Db } from 'mongodb'
import { type SizedStep, sizeSteps } from '../../storage/index-sizes.ts'
import { type PlannedPlugin, planStorage, type StoragePlan } from '../../storage/plan.ts'
import { type Command, table } from '../command.ts'
import { declaredPlugins, withStorage } from '../platform.ts'
import { findPlatformInForce, WITH } from '../platform-in-force.ts'

export const plan: Command = {
  name: 'plan',
  summary: 'Print what apply, or a start of the host, would change in the database.',
  details:
    'Changes nothing. A start drops no index that its own version has hidden; apply does. Fails when a plugin is over its index budget.',
  options: {
    ...WITH,
    sharding: {
      type: 'boolean',
      description:
        'Print the commands that shard the collections, for mongosh. On a sharded cluster they are printed without it.'
    }
  },
  async run(context, { options }) {
    const platform = await findPlatformInForce(context, options['with'])
    const plugins = declaredPlugins(platform.plugins)
    const found = await withStorage(platform, async ({ db }) => {
      const planned = await planStorage(db, plugins, { isByCommand: true })
      const isShown = options['sharding'] === true || (await isSharded(db))
      const sharding = isShown ? shardCommands(db.databaseName, plugins) : []
      return { ...planned, steps: await sizeSteps(db, planned.steps), sharding }
    })
    const { sharding } = found
    return {
      text: [planText(found), ...shardingText(sharding)].join('\n'),
      json: { ...planJson(found), ...(sharding.length > 0 && { sharding }) }
    }
  }
}

/** A router of a sharded cluster says so. */
async function isSharded(db: Db): Promise<boolean> {
  return (await db.command({ hello: 1 }))['msg'] === 'isdbgrid'
}

/** As mongosh takes them, in the order of the manifests. */
export function shardCommands(
  database: string,
  plugins: readonly Pick<PlannedPlugin, 'manifest'>[]
): readonly string[] {
  return plugins
    .flatMap(({ manifest }) => manifest.collections ?? [])
    .flatMap(({ name, shardKey }) =>
      shardKey === undefined
        ? []
        : [`sh.shardCollection("${database}.${name}", ${JSON.stringify(shardKey)})`]
    )
}

const shardingText = (commands: readonly string[]): readonly string[] =>
  commands.length === 0 ? [] : ['', 'To shard, in mongosh:', ...commands.map((one) => `  ${one}`)]

export function planJson({ steps, strangers, newer }: StoragePlan) {
  return { steps, strangers, newer }
}

type ShownPlan = Pick<StoragePlan, 'strangers' | 'newer'> & { readonly steps: readonly SizedStep[] }

export function planText({ steps, strangers, newer }: ShownPlan): string {
  const rows = steps.map((step) => {
    const what = step.migration ?? [step.collection, step.index].filter(Boolean).join(' ')
    const verb = step.action === 'modify' ? 'collMod' : step.action
    return [verb, what, step.plugin, definitionText(step)]
  })
  const strange = strangers.map(
    ({ collection, index }) => `  ${collection} ${index}: not declared and not made by the kernel`
  )
  const kept = newer.map(
    ({ plugin, collection, version }) => `  ${collection}: as ${plugin} ${version} has made it`
  )
  return [
    steps.length === 0 ? 'Nothing to do.' : `${steps.length} steps:`,
    ...table(rows),
    ...(strange.length === 0 ? [] : ['', 'Left alone:', ...strange]),
    ...(kept.length === 0 ? [] : ['', 'Of a newer version, not taken back:', ...kept])
  ].join('\n')
}

/** `{ a: 1, at: -1 } unique, partial, TTL 60 s, about 1.2 MB` */
function definitionText({ action, definition, wasSeconds, bytes }: SizedStep): string {
  if (definition === undefined) return bytes === undefined ? '' : sizeText(bytes)
  const { keys, unique, sparse, partial, ttlSeconds } = definition
  const fields = Object.entries(keys).map(([path, direction]) => `${path}: ${direction}`)
  const before = wasSeconds === undefined ? '' : `${wasSeconds} s -> `
  const options = [
    unique === true && 'unique',
    sparse === true && 'sparse',
    partial !== undefined && 'partial',
    ttlSeconds !== undefined && `TTL ${before}${ttlSeconds} s`,
    bytes !== undefined && `${action === 'create' ? 'about ' : ''}${sizeText(bytes)}`
  ]
  return [`{ ${fields.join(', ')} }`, options.filter(Boolean).join(', ')].join(' ').trimEnd()
}

/** Bytes in a unit that people read: `1.2 MB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** at
  return `${at === 0 ? value : value.toFixed(1)} ${units[at]}`
}
