// Pauses that begin while a batch is under way: what is not with a provider stays.
import type { MailerContext } from '../../ledger/context.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { PAUSE_ROW, providerRow, STOPS_ROW } from '../../ledger/state-row.ts'
import { outagesIn } from '../outages/outages.ts'
import { type SendFacts, stopOf } from './decide-send.ts'
import { statusOfBroadcasts } from './gather-batch.ts'
import type { LastRead, ReadStops, SendingBatch, Stops } from './sending-batch.ts'
import { holdForGates } from './settle-holds.ts'
import { settleStop } from './settle-send.ts'
import { type Settlement, settleSome } from './step.ts'
import { takeBack } from './take-back.ts'

/** Reads what stops mails now. */
async function readStops({
  collections,
  providers
}: Pick<MailerContext, 'collections' | 'providers'>): Promise<Stops> {
  const ids = [STOPS_ROW, PAUSE_ROW, ...[...providers.keys()].map(providerRow)]
  const rows = await collections.state.find({ _id: { $in: ids } }).toArray()
  const row = (id: string) => rows.find(({ _id }) => _id === id)
  return {
    changes: row(STOPS_ROW)?.changes ?? 0,
    pause: row(PAUSE_ROW)?.pause ?? null,
    outages: outagesIn(rows)
  }
}

/**
 * Those of the mails that may still leave; the others have their result, their attempt taken back. Looks at
 * most once in `freshMs`, and judges mails anew only when something was paused since the last look.
 */
export async function unstopped(
  batch: SendingBatch,
  facts: readonly SendFacts[]
): Promise<readonly SendFacts[]> {
  const { watch } = batch
  if (performance.now() - watch.readAt >= watch.freshMs) {
    watch.reading ??= look(batch).finally(() => {
      watch.reading = undefined
    })
  }
  await watch.reading
  return watch.stopped.size === 0 ? facts : facts.filter(({ send }) => !watch.stopped.has(send._id))
}

/** A database that does not answer stops nothing: a mail that was recorded and held back then would be in doubt. */
async function look(batch: SendingBatch): Promise<void> {
  const { context, watch } = batch
  const { changes } = watch.stops
  try {
    const { stops, at } = await sharedRead(batch)
    // Another batch may have read before this one did.
    if (at < watch.readAt) return
    watch.stops = stops
    watch.readAt = at
    if (watch.stops.changes !== changes) await judgeAnew(batch)
  } catch (error) {
    watch.stops = { ...watch.stops, changes }
    context.log.warn({ err: error }, `mailer: pauses were not read: ${messageOf(error)}`)
  }
}

/** Batches of a process look with one command. */
function sharedRead({ context, watch, lastRead }: SendingBatch): Promise<ReadStops> {
  const { read, startedAt } = lastRead
  if (read !== undefined && performance.now() - startedAt < watch.freshMs) return read
  return readShared(context, lastRead)
}

/** Reads what stops mails, for this batch and the looks of others. */
export function readShared(
  context: Pick<MailerContext, 'collections' | 'providers'>,
  lastRead: LastRead
): Promise<ReadStops> {
  const at = performance.now()
  const read = readStops(context).then((stops) => ({ stops, at }))
  lastRead.read = read
  lastRead.startedAt = at
  read.catch(() => {
    if (lastRead.read === read) lastRead.read = undefined
  })
  return read
}

/** A mail that is with a provider now gets its own result when that has answered. */
async function judgeAnew(batch: SendingBatch): Promise<void> {
  const { context, results, watch } = batch
  const open = watch.facts.filter(({ send }) => !results.has(send._id))
  const statuses = await statusOfBroadcasts(
    context,
    open.map(({ send }) => send)
  )
  const now = context.clock.now()
  const fit = settleSome(open, (one) => {
    const stop = stopOf({ ...one, broadcastStatus: statuses.get(one.send.broadcastId ?? '') })
    return stop && { result: settleStop(stop, now) }
  })
  const free = await holdForGates(batch, fit.go)
  const stopped = [...fit.settled, ...free.settled]
  for (const { send } of stopped) watch.stopped.add(send._id)
  // The others have the result of their provider meanwhile.
  const settled = stopped.filter(({ send }) => !results.has(send._id)).map(withoutAttempt)
  batch.settle({ go: [], settled })
}

function withoutAttempt({ result, ...one }: Settlement): Settlement {
  const update = [...takeBack(one.send), ...(result.update ?? [])]
  return { ...one, result: { ...result, update } }
}
