// The operation that gives subject refs their friendly names.
import { type Call, operation, Type } from '@keelson/sdk'
import type { SubjectLabel } from '../contracts.ts'
import { type DashboardHost, reading } from './dashboard-operation.ts'
import { optionalText } from './parameters.ts'

/** Refs in one call; what comes after is dropped. */
export const MAX_REFS = 100

/** Addresses that are safe to put into a link: of this host, or http and https. */
const isLink = (href: unknown): href is string =>
  typeof href === 'string' && /^(https?:\/\/|\/(?!\/)|[?#])/i.test(href)

/** Of an adapter's answer, what was asked for and can be shown. */
export function readLabels(
  refs: readonly string[],
  answer: unknown
): Readonly<Record<string, SubjectLabel>> {
  if (typeof answer !== 'object' || answer === null) return {}
  const known = new Map<string, unknown>(Object.entries(answer))
  const labels = refs.flatMap((ref): [string, SubjectLabel][] => {
    const { label, href } = (known.get(ref) ?? {}) as { label?: unknown; href?: unknown }
    if (typeof label !== 'string') return []
    return [[ref, isLink(href) ? { label, href } : { label }]]
  })
  return Object.fromEntries(labels)
}

/** The first hundred different refs of a comma list. */
export function readRefs(text = ''): readonly string[] {
  const refs = text.split(',').map((ref) => ref.trim())
  return [...new Set(refs.filter((ref) => ref !== ''))].slice(0, MAX_REFS)
}

export const describeSubjects = operation({
  ...reading,
  id: 'telemetry-dashboard.subjects.describe',
  path: '/api/subjects/describe',
  summary: 'Friendly names of subjects',
  query: Type.Object({
    refs: optionalText(`Subject refs, comma-separated; the first ${MAX_REFS} are described.`)
  }),
  answer: Type.Object({
    refs: Type.Unsafe<Readonly<Record<string, SubjectLabel>>>({
      type: 'object',
      additionalProperties: Type.Object({
        label: Type.String(),
        href: Type.Optional(Type.String())
      })
    })
  }),
  async run({ query }, { host: { subjectAdapter } }: Call<DashboardHost>) {
    const refs = readRefs(query.refs)
    if (subjectAdapter === undefined || refs.length === 0) return { refs: {} }
    return { refs: readLabels(refs, await subjectAdapter.describe(refs)) }
  }
})
