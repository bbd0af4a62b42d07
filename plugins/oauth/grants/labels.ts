// Labels of the scopes and resources of a list of grants.
import type { Settings } from '../config/settings.ts'

export interface ScopeLabel {
  readonly id: string
  readonly label: string
  readonly sensitive?: true
}

export interface ResourceLabel {
  readonly id: string
  readonly label: string
}

/** Each scope and resource that occurs, once. One that left the catalogue is labelled by its id. */
export function labelsOf(
  rows: readonly { readonly scopes: readonly string[]; readonly resources: readonly string[] }[],
  { scopes, resources }: Pick<Settings, 'scopes' | 'resources'>
): { readonly scopes: readonly ScopeLabel[]; readonly resources: readonly ResourceLabel[] } {
  const scopeIds = new Set(rows.flatMap((row) => row.scopes))
  const resourceIds = new Set(rows.flatMap((row) => row.resources))
  return {
    scopes: [...scopeIds].map((id) => ({
      id,
      label: scopes.get(id)?.label ?? id,
      ...(scopes.get(id)?.isSensitive === true && { sensitive: true as const })
    })),
    resources: [...resourceIds].map((id) => ({ id, label: resources.get(id)?.label ?? id }))
  }
}
