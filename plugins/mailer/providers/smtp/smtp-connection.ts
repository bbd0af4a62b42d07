// Pooled SMTP connections to one server.
import { type DialogueFailure, type DialogueVerdict, judgeFailure } from './judge-failure.ts'
import type { SmtpServer } from './smtp-server-address.ts'
import { converse, endSession, type Letter, openSession, type SmtpSession } from './smtp-session.ts'

/** `accepted` with the server's last reply. */
export type Delivery = { readonly status: 'accepted'; readonly response: string } | DialogueVerdict

/** Connections to one server. */
export interface SmtpConnections {
  deliver(letter: Letter): Promise<Delivery>
  /** Ends what is open. A later mail opens connections again: a host may share one provider between mailers. */
  close(): void
}

/** How the pool behaves. */
export interface PoolOptions {
  readonly connections: number
  /** Of EHLO. Default: the name of the machine. */
  readonly name?: string | undefined
}

/** Servers that take fewer mails per connection say so with 421, and the next connection follows. */
const MAX_MAILS = 1000

/** Opens no connection before the first mail. */
export function openSmtpConnections(server: SmtpServer, options: PoolOptions): SmtpConnections {
  const turns = createTurns(options.connections)
  const idle: SmtpSession[] = []
  let closes = 0

  const takeSession = async (signal: AbortSignal): Promise<SmtpSession> => {
    for (let known = idle.pop(); known !== undefined; known = idle.pop())
      if (!known.isOver) return known
    return openSession(server, options.name, signal)
  }
  const putBack = (session: SmtpSession, isPast: boolean): void => {
    if (isPast || session.mails >= MAX_MAILS) endSession(session)
    if (!session.isOver) idle.push(session)
  }
  const deliver = async (letter: Letter): Promise<Delivery> => {
    for (;;) {
      const closesBefore = closes
      const session = await takeSession(letter.signal)
      const isReused = session.mails > 0
      const dialogue = await converse(session, letter)
      putBack(session, closes > closesBefore)
      if (dialogue.isAccepted) return { status: 'accepted', response: dialogue.response }
      const { failure, hasStarted, isEndSent } = dialogue
      // A server may have ended a connection while it was idle. Nothing of the mail was sent.
      const isStale = isReused && !hasStarted && isOfConnection(failure)
      if (!isStale || letter.signal.aborted) return judgeFailure(failure, isEndSent)
    }
  }
  return {
    async deliver(letter) {
      try {
        await turns.take(letter.signal)
      } catch (error) {
        return judgeFailure(error as DialogueFailure, false, false)
      }
      try {
        return await deliver(letter)
      } catch (error) {
        // There is no connection.
        return judgeFailure(error as DialogueFailure, false, false)
      } finally {
        turns.give()
      }
    },
    close() {
      closes += 1
      for (const session of idle.splice(0)) endSession(session)
    }
  }
}

function isOfConnection({ code, responseCode }: DialogueFailure): boolean {
  const isBroken = code === undefined || /^E(CONNECTION|SOCKET|TIMEDOUT)$/.test(code)
  return responseCode === 421 || (responseCode === undefined && isBroken)
}

/** Turns at the connections; a mail that is given up leaves the line. */
function createTurns(most: number) {
  let free = most
  const waiting: (() => void)[] = []
  return {
    take: (signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (free > 0) {
          free -= 1
          return resolve()
        }
        const abort = () => {
          waiting.splice(waiting.indexOf(next), 1)
          reject(signal.reason)
        }
        const next = () => {
          signal.removeEventListener('abort', abort)
          resolve()
        }
        waiting.push(next)
        signal.addEventListener('abort', abort)
      }),
    give() {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
