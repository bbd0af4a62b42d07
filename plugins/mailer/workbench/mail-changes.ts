// Wakes those who wait for a mail when its row changes: one change stream for all of them.
import { isMissingFeature } from '@keelson/sdk'
import type { MailerContext } from '../ledger/context.ts'

/** The changes of mails. */
export interface MailChanges {
  /** Resolves when the mail changed, after `ms`, or when the signal is aborted. */
  next(
    sendId: string,
    options: { readonly ms: number; readonly signal: AbortSignal }
  ): Promise<void>
  close(): Promise<void>
}

type Stream = ReturnType<MailerContext['collections']['sends']['watch']>

/** Opens the stream with the first waiter, and closes it with the last. */
export function watchMails({ collections, log }: MailerContext): MailChanges {
  const waiting = new Map<string, Set<() => void>>()
  let stream: Stream | undefined
  let isMissing = false
  const wake = (sendId: string) => {
    for (const resolve of waiting.get(sendId) ?? []) resolve()
  }
  const end = async () => {
    const ended = stream
    stream = undefined
    await ended?.close()
  }
  const open = () => {
    if (stream !== undefined || isMissing) return
    stream = collections.sends.watch([{ $project: { documentKey: 1, operationType: 1 } }])
    stream.on('change', (change) => {
      const { documentKey } = change as { readonly documentKey?: { readonly _id: string } }
      if (documentKey !== undefined) wake(documentKey._id)
    })
    stream.on('error', (err) => {
      // Waiters look again by themselves; a server without change streams is not asked for them again.
      isMissing = isMissingFeature(err)
      log.warn({ err }, 'mailer: mails are not watched')
      void end()
    })
  }
  return {
    async next(sendId, { ms, signal }) {
      if (signal.aborted) return
      open()
      await new Promise<void>((resolve) => {
        const woken = waiting.get(sendId) ?? new Set()
        waiting.set(sendId, woken)
        const done = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          woken.delete(done)
          if (woken.size === 0) waiting.delete(sendId)
          resolve()
        }
        const timer = setTimeout(done, ms)
        woken.add(done)
        signal.addEventListener('abort', done)
      })
      if (waiting.size === 0) await end()
    },
    async close() {
      for (const sendId of [...waiting.keys()]) wake(sendId)
      await end()
    }
  }
}
