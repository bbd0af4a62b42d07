// Programs beside a plain mailer, where their package is installed.
import type { StandaloneHost } from '@keelson/kernel/standalone'
import type { ProgramCollections } from '@keelson/programs'
import type { Db } from 'mongodb'
import { errors } from '../errors.ts'
import type { MailerConfig } from '../ledger/schema.ts'
import { folderOf, whenInstalled } from './deliverability.ts'

const NAME = '@keelson/programs'

/**
 * Adds the plugin with the settings and the code of the mailer's configuration.
 *
 * @returns the folder of its plugin.json; none where it is not installed
 * @throws MLR_PACKAGE_MISSING for settings of a package that is not installed
 */
export async function addPrograms(
  host: StandaloneHost,
  { programs, factsAdapter }: Pick<MailerConfig, 'programs' | 'factsAdapter'>,
  collectionPrefix: string
): Promise<readonly string[]> {
  const module = await whenInstalled(NAME, () => import('@keelson/programs'))
  if (module === undefined) {
    const path = programs !== undefined ? 'programs' : 'factsAdapter'
    if (programs === undefined && factsAdapter === undefined) return []
    throw errors.MLR_PACKAGE_MISSING({ path, package: NAME })
  }
  const plugin = module.createProgramsPlugin({ facts: factsAdapter })
  host.add(plugin, { config: { ...programs }, configPath: 'programs', collectionPrefix })
  return [folderOf(plugin) ?? []].flat()
}

const COLLECTIONS = {
  programs: 'programs',
  programVersions: 'program_versions',
  programRuns: 'program_runs',
  programDecisions: 'program_decisions'
} as const

/** Opens what programs store, by the names that a plain mailer gives it; empty where they are not installed. */
export function programCollections(db: Db, collectionPrefix: string): ProgramCollections {
  const opened = Object.entries(COLLECTIONS).map(([name, stored]) => [
    name,
    db.collection(collectionPrefix + stored)
  ])
  return Object.fromEntries(opened) as ProgramCollections
}
