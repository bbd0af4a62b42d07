// The deliverability plugins beside a plain mailer: those that are installed, and those that its settings name.
import { fileURLToPath } from 'node:url'
import type { StandaloneHost } from '@keelson/kernel/standalone'
import { definitionOf, type KeelsonPlugin } from '@keelson/sdk'
import type { Collection, Db, Document } from 'mongodb'
import { errors } from '../errors.ts'
import type { MailerConfig } from '../ledger/schema.ts'

/** The settings of plugins, by the names that the document gives them. */
export type DeliverabilitySettings = Pick<
  MailerConfig,
  'circuitBreaker' | 'dnsbl' | 'postmaster' | 'snds' | 'dmarc' | 'contentScorer'
>

interface Package {
  readonly name: string
  readonly key?: keyof DeliverabilitySettings
  load(): Promise<{ readonly default: KeelsonPlugin }>
}

/** Those that others use come first. */
const PACKAGES: readonly Package[] = [
  { name: '@keelson/content-linter', load: () => import('@keelson/content-linter') },
  {
    name: '@keelson/circuit-breaker',
    key: 'circuitBreaker',
    load: () => import('@keelson/circuit-breaker')
  },
  { name: '@keelson/dmarc', key: 'dmarc', load: () => import('@keelson/dmarc') },
  { name: '@keelson/block-lists', key: 'dnsbl', load: () => import('@keelson/block-lists') },
  { name: '@keelson/postmaster', key: 'postmaster', load: () => import('@keelson/postmaster') },
  { name: '@keelson/snds', key: 'snds', load: () => import('@keelson/snds') },
  { name: '@keelson/list-hygiene', load: () => import('@keelson/list-hygiene') },
  {
    name: '@keelson/content-scorer',
    key: 'contentScorer',
    load: () => import('@keelson/content-scorer')
  }
]

/** What `addDeliverability` takes. */
export interface DeliverabilityOptions {
  readonly settings: DeliverabilitySettings
  /** For plugins that are installed, below what `settings` says. */
  readonly defaults?: DeliverabilitySettings
}

/**
 * Adds the plugins that are installed. Those without settings run with their defaults; most of them wait for
 * credentials.
 *
 * @returns the folders of their plugin.json
 * @throws MLR_PACKAGE_MISSING for settings of a package that is not installed
 */
export async function addDeliverability(
  host: StandaloneHost,
  { settings, defaults = {} }: DeliverabilityOptions
): Promise<readonly string[]> {
  const found = await Promise.all(PACKAGES.map((one) => findPlugin(one, settings)))
  for (const [at, { key }] of PACKAGES.entries()) {
    const plugin = found[at]
    if (plugin === undefined) continue
    host.add(plugin, {
      ...(key !== undefined && {
        config: { ...defaults[key], ...settings[key] },
        configPath: key
      })
    })
  }
  return found.flatMap((plugin) => folderOf(plugin) ?? [])
}

/** The folder of its plugin.json. */
export const folderOf = (plugin: KeelsonPlugin | undefined): string | undefined => {
  const folder = definitionOf(plugin)?.folder
  return folder && fileURLToPath(folder)
}

async function findPlugin(
  { name, key, load }: Package,
  settings: DeliverabilitySettings
): Promise<KeelsonPlugin | undefined> {
  const module = await whenInstalled(name, load)
  if (module !== undefined) return module.default
  if (key === undefined || settings[key] === undefined) return undefined
  throw errors.MLR_PACKAGE_MISSING({ path: key, package: name })
}

/** The module of an optional package; undefined when it is not installed. */
export async function whenInstalled<T>(
  name: string,
  load: () => Promise<T>
): Promise<T | undefined> {
  try {
    return await load()
  } catch (error) {
    if (isMissing(error, name)) return undefined
    throw error
  }
}

/** Not what an installed package itself lacks. */
const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  (error as { readonly code?: unknown }).code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(`'${name}'`)

/** Where the plugins keep what the document names, by its names. */
const COLLECTIONS = {
  health: 'circuit_breaker_health',
  dnsblChecks: 'block_lists_checks',
  postmasterSnapshots: 'postmaster_snapshots',
  sndsSnapshots: 'snds_snapshots',
  dmarcReports: 'dmarc_reports',
  dmarcFailures: 'dmarc_failure_reports',
  dmarcSourceTags: 'dmarc_source_tags',
  contentScorerScores: 'content_scorer_scores'
} as const

/** The collections of the deliverability plugins. Their documents are those of the plugins' STORAGE.md. */
export type DeliverabilityCollections = {
  readonly [name in keyof typeof COLLECTIONS]: Collection<Document>
}

/** Opens them by name; those of a plugin that is not installed are empty. */
export function deliverabilityCollections(db: Db, namespace = ''): DeliverabilityCollections {
  const opened = Object.entries(COLLECTIONS).map(([name, stored]) => [
    name,
    db.collection(namespace + stored)
  ])
  return Object.fromEntries(opened) as DeliverabilityCollections
}
