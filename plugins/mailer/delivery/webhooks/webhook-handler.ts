// Works on the queue of webhook events: a batch together, one by one when that fails.
import type { BatchHandler, ItemResult } from '@keelson/sdk'
import type { MailerContext } from '../../ledger/context.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { agentTest } from '../tracking/machine-verdict.ts'
import { applyEvents } from './apply-events.ts'

/** The handler of the queue `webhook-events`. An event that fails does not hold up its neighbours. */
export function createWebhookHandler(context: MailerContext): BatchHandler<WebhookEventRow> {
  const isMachineAgent = agentTest(context.config.machineAgents)
  const apply = async (events: readonly WebhookEventRow[]): Promise<[string, ItemResult][]> => {
    const sends = await applyEvents(context, events, isMachineAgent)
    return events.map(({ _id }) => [_id, applied(sends.get(_id)?._id)])
  }
  return {
    async batch(items) {
      const events = items.map(({ item }) => item)
      const readable = events.filter(({ type }) => type !== 'unreadable')
      const results = new Map<string, ItemResult>(
        events
          .filter(({ type }) => type === 'unreadable')
          .map(({ _id }) => [_id, { state: 'parked', reason: 'its events could not be read' }])
      )
      if (readable.length === 0) return results
      const settled = await apply(readable).catch(() => applyEach(readable, apply))
      for (const [id, result] of settled) results.set(id, result)
      return results
    }
  }
}

async function applyEach(
  events: readonly WebhookEventRow[],
  apply: (events: readonly WebhookEventRow[]) => Promise<[string, ItemResult][]>
): Promise<[string, ItemResult][]> {
  const results: [string, ItemResult][] = []
  for (const event of events) {
    const failed = (error: unknown): [string, ItemResult][] => [
      [event._id, { state: 'failed', error }]
    ]
    results.push(...(await apply([event]).catch(failed)))
  }
  return results
}

function applied(sendId: string | undefined): ItemResult {
  const found = sendId === undefined ? {} : { sendId: { $literal: sendId } }
  return { state: 'done', update: [{ $set: { processed: true, ...found } }] }
}
