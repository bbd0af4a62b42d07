// Filters that name people by what is known of them: a person with the anonymous refs that were theirs, and those who
// did one event and not another. They are looked up before rows are read.
import { findAnonymousRefs, findReaches } from '../identity/find-links.ts'
import { isWhole, type Reach, timeTerm } from '../identity/links.ts'
import type { RecordFilters } from '../schemas/filters.ts'
import { readSteps } from './person-steps.ts'
import type { Reader } from './reader.ts'
import type { PersonTerm, ResolvedFilters } from './row-filter.ts'
import { QueryError, type TimeRange } from './types.ts'

/** Whether a read must look people up first. */
const names = ({ subject, did, didNot }: RecordFilters): boolean =>
  subject !== undefined || did !== undefined || didNot !== undefined

/** Parameters whose filters are of rows alone. */
export async function withPeople<P extends object>(
  reader: Reader,
  scope: string,
  params: P
): Promise<P> {
  const { filters, from, to } = params as Partial<TimeRange> & { readonly filters?: RecordFilters }
  if (filters === undefined || from === undefined || to === undefined || !names(filters)) {
    return params
  }
  const { did, didNot, ...others } = filters
  const own = await personOf(reader, scope, others)
  const cohort = await cohortOf(reader, scope, { from, to, did, didNot })
  const persons = [...own, ...cohort]
  if (persons.length === 0) return params
  const { subject, ...rest } = others
  const isJoined = own.length > 0
  const resolved: ResolvedFilters = {
    ...rest,
    ...(!isJoined && subject !== undefined && { subject }),
    persons
  }
  return { ...params, filters: resolved }
}

/** None for a ref without anonymous refs, whose filter is an equality. */
async function personOf(
  { aliases }: Reader,
  scope: string,
  { subject }: RecordFilters
): Promise<readonly PersonTerm[]> {
  if (typeof subject !== 'string') return []
  const reaches = await findReaches(aliases, scope, subject)
  if (reaches.length === 0) return []
  const refs = [subject, ...new Set(reaches.map(({ ref }) => ref))]
  const parts = [{ subjectKeys: subject }, ...reaches.map((reach) => partOf(reach, scope))]
  const isPlain = scope !== '*' && reaches.every(isWhole)
  return [{ refs, ...(!isPlain && { parts }) }]
}

function partOf(reach: Reach, scope: string): object {
  const time = timeTerm(reach)
  return {
    subjectKeys: reach.ref,
    ...(scope === '*' && { tenantId: reach.tenantId }),
    ...(time !== undefined && { occurredAt: time })
  }
}

interface Cohort extends TimeRange {
  readonly did: string | undefined
  readonly didNot: string | undefined
}

async function cohortOf(
  reader: Reader,
  scope: string,
  { did, didNot, ...range }: Cohort
): Promise<readonly PersonTerm[]> {
  if (did === undefined) {
    if (didNot === undefined) return []
    throw new QueryError('didNot needs did: people are those who did something')
  }
  const steps = [...new Set([did, ...(didNot === undefined ? [] : [didNot])])]
  const { people, isCut, missing } = await readSteps(reader, scope, { ...range, names: steps })
  if (isCut || missing.length > 0) {
    throw new QueryError(
      'who did that cannot be told of all records of the range: narrow the range'
    )
  }
  const wanted = people.filter(
    ({ doings }) => doings.has(did) && (didNot === undefined || !doings.has(didNot))
  )
  const most = reader.limits.funnel
  if (wanted.length > most) {
    throw new QueryError(`more than ${most} people did that: narrow the range`)
  }
  const refs = wanted.map(({ ref }) => ref)
  const anonymous = await findAnonymousRefs(reader.aliases, scope, refs)
  const isPlatform = scope === '*'
  const all = [...new Set([...refs, ...anonymous])]
  return [
    {
      refs: all,
      // Two tenants may have a ref of the same name.
      ...(isPlatform && wanted.length > 0 && { parts: partsByTenant(wanted, anonymous) })
    }
  ]
}

function partsByTenant(
  people: readonly { readonly tenantId: string; readonly ref: string }[],
  anonymous: ReadonlySet<string>
): readonly object[] {
  const tenants = new Map<string, string[]>()
  for (const { tenantId, ref } of people) {
    const known = tenants.get(tenantId) ?? [...anonymous]
    tenants.set(tenantId, known)
    known.push(ref)
  }
  return [...tenants].map(([tenantId, refs]) => ({ tenantId, subjectKeys: { $in: refs } }))
}
