// What the routes say about block lists: schemas, and the answer made from stored rows.
import { type Static, Type } from '@keelson/sdk'
import type { DnsblContext } from '../checks/dnsbl-context.ts'
import type { ChangeRow, CheckRow } from '../storage/rows.ts'
import { checkId } from '../storage/rows.ts'

const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) =>
  Type.Union([schema, Type.Null()])
const categorySchema = Type.Union([Type.Enum(['reputation', 'abused', 'policy']), Type.Null()])
const codesSchema = Type.Array(Type.Object({ code: Type.String(), meaning: Type.String() }))

const checkSchema = Type.Object({
  target: Type.String(),
  targetKind: Type.Enum(['domain', 'ip']),
  list: Type.String(),
  listLabel: Type.String(),
  result: Type.Enum(['clean', 'listed', 'error']),
  category: categorySchema,
  returnCodes: Type.Array(Type.String()),
  codes: codesSchema,
  errorMessage: nullable(Type.String()),
  runAt: nullable(Type.String())
})

export const reportSchema = Type.Object({
  checks: Type.Array(checkSchema),
  latestRunAt: nullable(Type.String()),
  intervalHours: Type.Number(),
  disabledLists: Type.Array(
    Type.Object({ list: Type.String(), state: Type.String(), reason: Type.String() })
  ),
  reason: nullable(Type.String())
})
/** The answer of `GET /dnsbl`. */
export type DnsblReport = Static<typeof reportSchema>

export const runSchema = Type.Object({
  ran: Type.Boolean(),
  reason: Type.Optional(Type.String()),
  totalChecks: Type.Optional(Type.Integer()),
  listedCount: Type.Optional(Type.Integer()),
  unansweredLists: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Lists that were asked and gave no answer of use: of their targets nothing is known.'
    })
  )
})

export const historySchema = Type.Object({
  changes: Type.Array(
    Type.Object({
      target: Type.String(),
      list: Type.String(),
      listLabel: Type.String(),
      result: Type.Enum(['clean', 'listed']),
      category: categorySchema,
      codes: codesSchema,
      at: Type.String()
    })
  )
})

/** Reads what is stored about the targets and lists of the settings. */
export async function readReport(
  context: Pick<DnsblContext, 'settings' | 'stored' | 'mailer'>
): Promise<DnsblReport> {
  const { settings, stored, mailer } = context
  const domains = mailer.senderDomains().map(({ domain }) => domain)
  const hosts = settings.lists.map(({ host }) => host)
  const ids = settings.lists.flatMap(({ host, kind }) =>
    (kind === 'ip' ? settings.dedicatedIps : domains).map((target) => checkId(host, target))
  )
  const [rows, states] = await Promise.all([
    stored.checks
      .find({ _id: { $in: ids } })
      .sort({ _id: 1 })
      .toArray(),
    stored.lists
      .find({ _id: { $in: hosts } })
      .sort({ _id: 1 })
      .toArray()
  ])
  const latest = Math.max(...rows.map(({ runAt }) => runAt?.getTime() ?? 0), 0)
  return {
    checks: rows.map(checkOf),
    latestRunAt: latest === 0 ? null : new Date(latest).toISOString(),
    intervalHours: settings.intervalMs / 3_600_000,
    disabledLists: states.flatMap(({ _id: list, state, reason }) =>
      reason === null ? [] : [{ list, state, reason }]
    ),
    reason: reasonOf(settings.isOn, ids.length)
  }
}

function reasonOf(isOn: boolean, pairs: number): string | null {
  if (!isOn) return 'disabled'
  return pairs === 0 ? 'no_targets' : null
}

function checkOf(row: CheckRow): DnsblReport['checks'][number] {
  const { target, targetKind, list, listLabel, result, category, codes, errorMessage, runAt } = row
  return {
    target,
    targetKind,
    list,
    listLabel,
    result,
    category,
    returnCodes: codes.map(({ code }) => code),
    codes: codes.map(({ code, meaning }) => ({ code, meaning })),
    errorMessage,
    runAt: runAt?.toISOString() ?? null
  }
}

export const changeOf = (row: ChangeRow): Static<typeof historySchema>['changes'][number] => ({
  target: row.target,
  list: row.list,
  listLabel: row.listLabel,
  result: row.result,
  category: row.category,
  codes: row.codes.map(({ code, meaning }) => ({ code, meaning })),
  at: row.at.toISOString()
})
