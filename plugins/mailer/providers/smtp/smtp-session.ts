// One SMTP connection: opened, used for mail after mail, and how far each dialogue came.
import type { Readable } from 'node:stream'
import { atFirstUse } from '@keelson/sdk'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { DialogueFailure } from './judge-failure.ts'
import type { SmtpServer } from './smtp-server-address.ts'

/** A mail with its envelope. */
export interface Letter {
  readonly from: string
  readonly to: string
  /** RFC 5322 text with CRLF line ends. */
  readonly raw: Buffer
  readonly signal: AbortSignal
}

/** A connection that is ready for a mail. */
export interface SmtpSession {
  readonly connection: SMTPConnection
  /** Mails it was used for. */
  mails: number
  /** It ended, or must not be used again. */
  isOver: boolean
}

/** How a dialogue ended. */
export type Dialogue =
  | { readonly isAccepted: true; readonly response: string }
  | {
      readonly isAccepted: false
      readonly failure: DialogueFailure
      /** The server asked for the data. */
      readonly hasStarted: boolean
      /** The final dot may have left. */
      readonly isEndSent: boolean
    }

/** Of connecting and of silence, in ms. A hand-over ends after 30 s by its signal. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 }
/** Small, so that the last slice of a large mail is written about when the connection took the others. */
const SLICE = 16_384

const loadConnection = atFirstUse(() => import('nodemailer/lib/smtp-connection'))

/** Connects, and logs in where the server offers it. @throws DialogueFailure: no mail was sent */
export async function openSession(
  { auth, ...server }: SmtpServer,
  name: string | undefined,
  signal: AbortSignal
): Promise<SmtpSession> {
  const options = { ...server, ...TIMEOUTS, ...(name !== undefined && { name }) }
  const { default: Connection } = await loadConnection()
  const connection = new Connection(options)
  const session: SmtpSession = { connection, mails: 0, isOver: false }
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(error)
      endSession(session)
    }
    const abort = () => fail(signal.reason)
    signal.addEventListener('abort', abort)
    const ready = () => {
      signal.removeEventListener('abort', abort)
      resolve(session)
    }
    // Both stay: a connection may end while no mail uses it.
    connection.on('error', fail)
    connection.once('end', () => fail(new Error('The server closed the connection.')))
    connection.connect((error) => {
      if (error) fail(error)
      else if (auth === undefined || !offersLogin(connection)) ready()
      else connection.login({ credentials: auth }, (refused) => (refused ? fail(refused) : ready()))
    })
    if (signal.aborted) abort()
  })
}

const offersLogin = (connection: object): boolean =>
  'allowsAuth' in connection && connection.allowsAuth === true

/** Closes the connection. Safe to repeat. */
export function endSession(session: SmtpSession): void {
  if (session.isOver) return
  session.isOver = true
  session.connection.close()
}

/** Sends a mail. Afterwards the session is over, or ready for the next one. Never throws. */
export async function converse(session: SmtpSession, letter: Letter): Promise<Dialogue> {
  session.mails += 1
  const dialogue = await sendOver(session, letter)
  if (!dialogue.isAccepted && !(await isReset(session, dialogue.failure))) endSession(session)
  return dialogue
}

function sendOver(session: SmtpSession, { from, to, raw, signal }: Letter): Promise<Dialogue> {
  const { connection } = session
  const source = slicedSource(raw)
  return new Promise((resolve) => {
    const fail = (failure: DialogueFailure) => {
      finish({ isAccepted: false, failure, ...source.progress })
    }
    const abort = () => {
      const isLate =
        (signal.reason as { readonly name?: unknown } | undefined)?.name === 'TimeoutError'
      fail({ message: String(signal.reason), ...(isLate && { code: 'ETIMEDOUT' }) })
      endSession(session)
    }
    // An error comes with the end, and says more.
    const ended = () => setImmediate(fail, { message: 'The server closed the connection.' })
    const finish = (dialogue: Dialogue) => {
      signal.removeEventListener('abort', abort)
      connection.off('end', ended)
      resolve(dialogue)
    }
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    connection.once('end', ended)
    // A dialogue writes its errors into the envelope, so each has its own.
    const envelope = { from, to, size: raw.length }
    connection.send(envelope, source as unknown as Readable, (error, info) => {
      if (error) fail(error as DialogueFailure)
      else finish({ isAccepted: true, response: info.response })
    })
  })
}

/** The mail as the connection reads it: when the server asks for the data, `pipe` is called. */
function slicedSource(raw: Buffer) {
  const progress = { hasStarted: false, isEndSent: false }
  return {
    progress,
    on: () => undefined,
    removeListener: () => undefined,
    destroy: () => undefined,
    pipe(target: NodeJS.WritableStream) {
      progress.hasStarted = true
      let at = 0
      const writeOn = () => {
        while (at < raw.length) {
          const slice = raw.subarray(at, at + SLICE)
          at += slice.length
          const isRoomy = target.write(slice)
          if (!isRoomy && at < raw.length) return void target.once('drain', writeOn)
        }
        progress.isEndSent = true
        target.end()
      }
      writeOn()
    }
  }
}

/** A mail that was refused leaves a connection that can be used again. */
function isReset({ connection, isOver }: SmtpSession, failure: DialogueFailure): Promise<boolean> {
  const { code, responseCode } = failure
  const isRefusal = (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode !== 421
  if (isOver || !isRefusal) return Promise.resolve(false)
  return new Promise((resolve) => {
    connection.once('end', () => resolve(false))
    connection.reset((error) => resolve(!error))
  })
}
