// Declared migrations and the code of a plugin must be the same.
import type { KeelsonError, Manifest, PluginDefinition } from '@keelson/sdk'
import { errors } from '../errors/errors.ts'

/** Migrations that only plugin.json or only the code has. */
export function migrationProblems(
  manifest: Manifest,
  { migrations }: Pick<PluginDefinition, 'migrations'>
): KeelsonError[] {
  const plugin = manifest.id
  const declared = (manifest.migrations ?? []).map(({ id }) => id)
  const withoutCode = declared.flatMap((migration, at) => {
    if (migrations[migration] !== undefined) return []
    return [errors.KRN_MIGRATION_CODE({ plugin, path: `migrations[${at}]`, migration })]
  })
  const undeclared = Object.keys(migrations)
    .filter((migration) => !declared.includes(migration))
    .map((migration) => errors.KRN_MIGRATION_UNDECLARED({ plugin, path: 'migrations', migration }))
  return [...withoutCode, ...undeclared]
}
