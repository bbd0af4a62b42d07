// Creates, changes, publishes and deletes versioned documents: each in one transaction with its audit entry.
import {
  type ClientSession,
  type Document,
  type Filter,
  MongoServerError,
  type OptionalUnlessRequiredId
} from 'mongodb'
import { audit } from '../audit/audit.ts'
import type { MailerContext } from '../context.ts'
import { defined } from '../defined.ts'
import type { Acting } from '../template-input.ts'
import { type Clash, clashOf, type Expected, nextVersion, publicationId } from './plan-versions.ts'
import { refuse, unknown, type Versioned, type VersionRefusal } from './versioned.ts'
import type { VersionedRow, VersionRow } from './versioned-row.ts'

/** What a change writes. */
export interface Change<Row> {
  readonly ok: true
  readonly set: Partial<Row>
  /** Fields that are taken away. */
  readonly unset?: readonly string[]
  /** Content of the next version, with what else is kept of it. */
  readonly publish?: { readonly by: string; readonly stored: object }
  /** Of the audit entry. Default: the fields of `set`, before and after. */
  readonly entry?: {
    readonly before?: unknown
    readonly after?: unknown
    readonly diffSummary?: string
  }
}

/** A document after a change; `isChanged` is false when there was nothing to write. */
export type Changed<Row, Refusal extends { readonly ok: false } = never> =
  | { readonly ok: true; readonly row: Row; readonly revision: number; readonly isChanged: boolean }
  | VersionRefusal<'not_found' | Clash>
  | Refusal

/** Who changes a document, what the audit log calls it, and what is expected of the row. */
export interface Write extends Acting, Expected {
  readonly action: string
}

/** When a change is decided: the time, and the transaction that it is part of. */
export interface Deciding {
  readonly now: Date
  readonly session: ClientSession
}

const DUPLICATE_KEY = 11000

/** Inserts a document with its audit entry, unless its slug is taken. */
export async function createDocument<Row extends VersionedRow, V extends VersionRow, C>(
  context: MailerContext,
  kind: Versioned<Row, V, C>,
  row: Row,
  write: Acting & { readonly action: string; readonly after?: unknown }
): Promise<{ readonly ok: true; readonly row: Row } | VersionRefusal<'slug_taken'>> {
  try {
    await context.withTransaction(async (session) => {
      const fresh = row as unknown as OptionalUnlessRequiredId<Row>
      await kind.documents(context).insertOne(fresh, { session })
      await audit(
        context,
        { ...entryOf(kind, row, write), ...defined({ after: write.after }) },
        { session }
      )
    })
    return { ok: true, row }
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) throw error
    return refuse('slug_taken', `There is a ${kind.noun} ${row.slug} already.`)
  }
}

/** Reads, decides, writes and audits in one transaction, with a new version if the change publishes one. */
export async function changeDocument<
  Row extends VersionedRow,
  V extends VersionRow,
  C,
  R extends { readonly ok: false } = never
>(
  context: MailerContext,
  kind: Versioned<Row, V, C>,
  slug: string,
  write: Write,
  decide: (row: Row, deciding: Deciding) => Change<Row> | R | Promise<Change<Row> | R>
): Promise<Changed<Row, R>> {
  return context.withTransaction(async (session) => {
    const options = { session }
    const found = await kind.documents(context).findOne({ slug } as Filter<Row>, options)
    if (found === null) return unknown(kind.noun, slug)
    const row = found as Row
    const clash = clashRefusal(kind.noun, row, write)
    if (clash !== undefined) return clash
    const now = context.clock.now()
    const change = await decide(row, { now, session })
    if (!change.ok) return change
    const { revision = 0 } = row
    if (isEmpty(change)) return { ok: true, row, revision, isChanged: false }
    const fields = await publishedFields(context, kind, row, change, { now, session })
    const written = { ...fields, updatedAt: now, revision: revision + 1 }
    const { unset = [] } = change
    const update = {
      $set: written,
      ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, ''])) })
    }
    await kind
      .documents(context)
      .updateOne({ _id: row._id } as Filter<Row>, update as Document, options)
    const { before = valuesOf(row, fields), after = fields, diffSummary } = change.entry ?? {}
    const entry = { ...entryOf(kind, row, write), before, after, ...defined({ diffSummary }) }
    await audit(context, entry, options)
    const changed = without({ ...row, ...written } as Row, unset)
    return { ok: true, row: changed, revision: revision + 1, isChanged: true }
  })
}

/** The fields of a change, and of the version that it publishes, which is stored. */
async function publishedFields<Row extends VersionedRow, V extends VersionRow, C>(
  context: MailerContext,
  kind: Versioned<Row, V, C>,
  row: Row,
  { set, publish }: Change<Row>,
  { now, session }: Deciding
): Promise<Partial<Row>> {
  if (publish === undefined) return set
  const publication = nextVersion(row, { now, by: publish.by })
  const owner = kind.ownerOf(row)
  const version = { _id: publicationId(owner, publication), [kind.owner]: owner, ...publish.stored }
  const stored = { ...version, ...publication } as unknown as OptionalUnlessRequiredId<V>
  await kind.versions(context).insertOne(stored, { session })
  return { ...set, ...publication }
}

/** Deletes a document and its versions in one transaction, unless `refusal` says why not. */
export async function deleteDocument<
  Row extends VersionedRow,
  V extends VersionRow,
  C,
  R extends { readonly ok: false } = never
>(
  context: MailerContext,
  kind: Versioned<Row, V, C>,
  slug: string,
  write: Acting & { readonly action: string; beforeOf(row: Row): unknown },
  refusal: (row: Row, session: ClientSession) => Promise<R | undefined> = async () => undefined
): Promise<{ readonly ok: true } | VersionRefusal<'not_found'> | R> {
  return context.withTransaction(async (session) => {
    const found = await kind.documents(context).findOne({ slug } as Filter<Row>, { session })
    if (found === null) return unknown(kind.noun, slug)
    const row = found as Row
    const refused = await refusal(row, session)
    if (refused !== undefined) return refused
    await kind.documents(context).deleteOne({ _id: row._id } as Filter<Row>, { session })
    const versions = { [kind.owner]: kind.ownerOf(row) } as Filter<V>
    await kind.versions(context).deleteMany(versions, { session })
    const before = write.beforeOf(row)
    await audit(context, { ...entryOf(kind, row, write), before }, { session })
    return { ok: true }
  })
}

/** Why a row is not changed that is not as it was expected; undefined when it is. */
export function clashRefusal(
  noun: string,
  row: VersionedRow,
  expected: Expected
): VersionRefusal<Clash> | undefined {
  const clash = clashOf(row, expected)
  return clash && refuse(clash, CLASHES[clash](noun, row.slug))
}

const CLASHES: Readonly<Record<Clash, (noun: string, slug: string) => string>> = {
  draft_conflict: (noun, slug) =>
    `Another editor changed the ${noun} ${slug} since you opened it. Read it again.`,
  conflict: (noun, slug) => `The ${noun} ${slug} was changed at the same moment. Try again.`
}

const isEmpty = ({ set, publish }: Change<object>): boolean =>
  publish === undefined && Object.keys(set).length === 0

const valuesOf = <Row extends object>(row: Row, fields: Partial<Row>) =>
  Object.fromEntries((Object.keys(fields) as (keyof Row)[]).map((name) => [name, row[name]]))

function without<Row>(row: Row, names: readonly string[]): Row {
  const left = Object.entries(row as object).filter(([name]) => !names.includes(name))
  return Object.fromEntries(left) as Row
}

const entryOf = (
  { collection }: { readonly collection: string },
  { _id: id, slug }: VersionedRow,
  { action, actor, ip, userAgent, requestId, via }: Acting & { readonly action: string }
) => ({
  actor,
  ...defined({ ip, userAgent, requestId, via }),
  action,
  resource: { collection, id, slug }
})
