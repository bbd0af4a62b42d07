// Scopes and resources in the words that people know them by.
import type { Settings } from '../config/settings.ts'

export interface ScopeWords {
  readonly id: string
  readonly label: string
  readonly sensitive?: true
}

export interface ResourceWords {
  readonly id: string
  readonly label: string
}

/** Of the scopes and resources that occur, each once. One that the catalogue has no more goes by its id. */
export function wordsOf(
  rows: readonly { readonly scopes: readonly string[]; readonly resources: readonly string[] }[],
  { scopes, resources }: Pick<Settings, 'scopes' | 'resources'>
): { readonly scopes: readonly ScopeWords[]; readonly resources: readonly ResourceWords[] } {
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
