// Pages printed from a manifest: STORAGE.md (what is kept) and PERMISSIONS.md (what may be touched).
import type { Manifest, ManifestCollection, ManifestIndex, ManifestRoute } from '@keelson/sdk'
import { DEFAULT_INDEX_BUDGET } from '@keelson/sdk/storage'

/** The printed pages of a plugin, by file name. */
export function printSheets(manifest: Manifest): Readonly<Record<string, string>> {
  return { 'STORAGE.md': storageSheet(manifest), 'PERMISSIONS.md': permissionSheet(manifest) }
}

const notice = 'Printed from `plugin.json` by `keelson check --write`. Do not edit.'

function storageSheet(manifest: Manifest): string {
  const collections = manifest.collections ?? []
  const migrations = manifest.migrations ?? []
  return page([
    `# ${manifest.name}: storage`,
    notice,
    collections.length === 0 ? 'This plugin keeps nothing.' : '',
    ...collections.map(collectionPart),
    migrations.length === 0 ? '' : '## Migrations',
    ...migrations.map(({ id, phase, summary }) => `- \`${id}\` (${phase ?? 'after'}): ${summary}`)
  ])
}

function collectionPart(collection: ManifestCollection): string {
  const { name, indexes, indexBudget, payloadIndexBudget, personalData, retention, shardKey } =
    collection
  const facts = [
    `Index budget: ${indexes.length} of ${indexBudget ?? DEFAULT_INDEX_BUDGET}.`,
    payloadIndexBudget === undefined ? '' : `From configuration: up to ${payloadIndexBudget}.`,
    `Retention: ${(retention ?? 'not stated').replace(/\.$/, '')}.`,
    personalData === undefined ? '' : `Personal data: ${personalData.map(code).join(', ')}.`,
    shardKey === undefined ? '' : `Shard key: ${keysOf(shardKey)}.`
  ]
  return [
    `## ${name}`,
    '',
    facts.filter((fact) => fact !== '').join(' '),
    ...(indexes.length === 0 ? [] : ['', ...indexTable(indexes, shardKey)])
  ].join('\n')
}

function indexTable(
  indexes: readonly ManifestIndex[],
  shardKey: ManifestCollection['shardKey']
): string[] {
  const header = ['index', 'keys', 'options', ...(shardKey === undefined ? [] : ['on a cluster'])]
  const rows = indexes.map((index) => [
    index.name,
    keysOf(index.keys),
    optionsOf(index),
    ...(shardKey === undefined ? [] : [isTargeted(index, shardKey) ? 'one shard' : 'all shards'])
  ])
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
}

/** A query that names the whole shard key goes to one shard. */
const isTargeted = ({ keys }: ManifestIndex, shardKey: object): boolean =>
  Object.keys(shardKey).every((path) => path in keys)

function optionsOf({ unique, sparse, partial, ttlSeconds, onDemand }: ManifestIndex): string {
  const options = [
    unique === true ? 'unique' : '',
    sparse === true ? 'sparse' : '',
    partial === undefined ? '' : `partial ${code(JSON.stringify(partial))}`,
    ttlSeconds === undefined ? '' : `expires after ${ttlSeconds} s`,
    onDemand === true ? 'on demand' : ''
  ]
  return options.filter((option) => option !== '').join(', ') || '–'
}

function permissionSheet(manifest: Manifest): string {
  const { routes = [], jobs = [], queues = [], pages = [], uses = [], network = [] } = manifest
  return page([
    `# ${manifest.name}: what it may touch`,
    notice,
    part('Routes', routes.map(routeLine)),
    part(
      'Pages',
      pages.map(({ id, title, role }) => `${code(id)} – ${role}: ${title}`)
    ),
    part(
      'Collections',
      (manifest.collections ?? []).map(({ name }) => code(name))
    ),
    part(
      'Jobs',
      jobs.map(({ name, every, cron }) => `${code(name)} – ${every ? `every ${every}` : cron}`)
    ),
    part(
      'Queues',
      queues.map(({ name, collection }) => `${code(name)} in ${code(collection)}`)
    ),
    part('Outside hosts', network.map(code)),
    part('Provides', (manifest.provides ?? []).map(code)),
    part(
      'Uses',
      uses.map((use) =>
        typeof use === 'string'
          ? code(use)
          : `${code(use.capability)}${use.optional === true ? ' (when it is there)' : ''}`
      )
    )
  ])
}

/** Who may call a route, and what it does. */
function routeLine(route: ManifestRoute): string {
  const { method, path, at, auth, permission, scopes, effect, summary, wildcard } = route
  const needs = [
    auth,
    ...(permission === undefined ? [] : [permission]),
    ...(scopes === undefined ? [] : [`(${scopes.join(' ')})`]),
    ...(effect === undefined ? [] : [`, ${effect}`])
  ].join(' ')
  const reason = wildcard === undefined ? '' : ` (${wildcard})`
  return `${code(`${method} ${at ?? path}`)} – ${needs.replace(' ,', ',')}: ${summary}${reason}`
}

const code = (text: string) => `\`${text}\``

const keysOf = (keys: Readonly<Record<string, unknown>>) =>
  Object.entries(keys)
    .map(([path, direction]) => code(direction === 1 ? path : `${path}: ${direction}`))
    .join(', ')

function part(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  return [`## ${title}`, '', ...lines.map((line) => `- ${line}`)].join('\n')
}

function page(parts: readonly string[]): string {
  const kept = parts.filter((text) => text !== '')
  const isItem = (text: string | undefined) => text?.startsWith('- ') === true
  const joined = kept.map((text, at) => (isItem(text) && isItem(kept[at - 1]) ? '' : '\n') + text)
  return `${joined.join('\n').trimStart()}\n`
}
