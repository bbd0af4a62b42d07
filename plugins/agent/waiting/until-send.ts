// Waits until a send is where a caller wants it: woken by its changes.
import type { SendRow } from '@keelson/mailer'
import type { Call } from '@keelson/sdk'
import type { AgentHost } from '../agent-host.ts'

/** A change that the stream missed is seen after this time. */
const LOOK_AGAIN_MS = 1_000

/** Whether a send is where a caller wants it. */
export type Until = (send: SendRow) => boolean

/** A call that waits: until it is answered, or its caller is gone. */
export type WaitingCall = Pick<Call<AgentHost>, 'host' | 'signal'>

/** Reads a send until it fits, or time is up. null when the id is unknown. */
export async function untilSend(
  { host: { context, changes }, signal }: WaitingCall,
  sendId: string,
  isThere: Until,
  timeoutMs: number
): Promise<SendRow | null> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const send = await context.collections.sends.findOne({ _id: sendId })
    const left = deadline - performance.now()
    if (send === null || isThere(send) || left <= 0 || signal.aborted) return send
    await changes.next(sendId, Math.min(left, LOOK_AGAIN_MS))
  }
}
