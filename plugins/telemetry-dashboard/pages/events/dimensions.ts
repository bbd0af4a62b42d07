// What records can be grouped by.
import { attrKeys, type RegistryAnswer } from '../registry.ts'

const FIELDS = ['name', 'kind', 'service', 'severity', 'env', 'release', 'subject', 'fingerprint']

export interface Dimension {
  /** As the API is asked: `service`, `attr:plan`. */
  readonly id: string
  readonly label: string
}

/** What the records of a name (or all) can be told apart by. */
export function dimensions(
  registry: RegistryAnswer,
  name: string | null,
  t: (key: string) => string
): Dimension[] {
  const fields = name === null ? FIELDS : FIELDS.filter((id) => id !== 'name' && id !== 'kind')
  return [
    ...attrKeys(registry, name).map((key) => ({ id: `attr:${key}`, label: key })),
    ...fields.map((id) => ({ id, label: t(`fact.${id}`) })),
    ...(registry.platform ? [{ id: 'tenantId', label: t('fact.tenantId') }] : [])
  ]
}

/** The second dimension that records are grouped by; `null` for none. */
export const alsoOf = (params: URLSearchParams): string | null =>
  params.get('also') === params.get('by') ? null : params.get('also')
