// Wakes those who wait for a send when its row changes: one change stream for all of them.
import type { MailerContext } from '@keelson/mailer'

/** The changes of sends. */
export interface SendChanges {
  /** Resolves when the send changed, or after `ms`. */
  next(sendId: string, ms: number): Promise<void>
  close(): Promise<void>
}

type Stream = ReturnType<MailerContext['collections']['sends']['watch']>

/** Opens the stream with the first waiter, and closes it with the last. */
export function watchSends({ collections, log }: MailerContext): SendChanges {
  const waiting = new Map<string, Set<() => void>>()
  let stream: Stream | undefined
  const wake = (sendId: string) => {
    for (const resolve of waiting.get(sendId) ?? []) resolve()
  }
  const end = async () => {
    const ended = stream
    stream = undefined
    await ended?.close()
  }
  const open = () => {
    if (stream !== undefined) return
    stream = collections.sends.watch([{ $project: { documentKey: 1, operationType: 1 } }])
    stream.on('change', (change) => {
      const { documentKey } = change as { readonly documentKey?: { readonly _id: string } }
      if (documentKey !== undefined) wake(documentKey._id)
    })
    stream.on('error', (err) => {
      // Waiters look again by themselves.
      log.warn({ err }, 'agent: sends are not watched')
      void end()
    })
  }
  return {
    async next(sendId, ms) {
      open()
      await new Promise<void>((resolve) => {
        const woken = waiting.get(sendId) ?? new Set()
        waiting.set(sendId, woken)
        const done = () => {
          clearTimeout(timer)
          woken.delete(done)
          if (woken.size === 0) waiting.delete(sendId)
          resolve()
        }
        const timer = setTimeout(done, ms)
        woken.add(done)
      })
      if (waiting.size === 0) await end()
    },
    async close() {
      for (const sendId of [...waiting.keys()]) wake(sendId)
      await end()
    }
  }
}
