// Pooled SMTP connections, and how far each dialogue came.
import { Transform } from 'node:stream'
import { createTransport } from 'nodemailer'
import type MimeNode from 'nodemailer/lib/mime-node'
import { type DialogueFailure, type DialogueVerdict, judgeFailure } from './judge-failure.ts'
import type { SmtpServer } from './smtp-server-address.ts'

/** A mail with its envelope. */
export interface Letter {
  readonly from: string
  readonly to: string
  /** RFC 5322 text with CRLF line ends. */
  readonly raw: Buffer
  readonly signal: AbortSignal
}

/** `accepted` with the server's last reply. */
export type Delivery = { readonly status: 'accepted'; readonly response: string } | DialogueVerdict

/** Connections to one server. */
export interface SmtpConnections {
  deliver(letter: Letter): Promise<Delivery>
  close(): void
}

/** How the pool behaves. */
export interface PoolOptions {
  readonly connections: number
  /** Of EHLO. Default: the name of the machine. */
  readonly name?: string | undefined
}

/** Of connecting and of silence, in ms. A hand-over ends after 30 s by its signal. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 }

const SLICE = 16_384

/** Small chunks, so that the stream of a large mail ends about when the connection took the last of it. */
const inSlices = () =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += SLICE) this.push(chunk.subarray(at, at + SLICE))
      done()
    }
  })

interface Progress {
  isEndSent: boolean
}

/** Opens no connection before the first mail. */
export function openSmtpConnections(server: SmtpServer, options: PoolOptions): SmtpConnections {
  const transport = createTransport({
    pool: true,
    ...server,
    ...TIMEOUTS,
    maxConnections: options.connections,
    // Servers that take fewer say so with 421, and the next connection follows.
    maxMessages: 1000,
    ...(options.name !== undefined && { name: options.name }),
    disableFileAccess: true,
    disableUrlAccess: true
  })
  // Errors reach each mail; the transport emits them a second time.
  transport.on('error', () => {})
  transport.use('stream', (mail, done) => {
    watch(mail.message, (mail.data as unknown as { progress: Progress }).progress)
    done()
  })
  return {
    async deliver({ from, to, raw, signal }) {
      const progress: Progress = { isEndSent: false }
      const envelope = { from, to, size: raw.length }
      try {
        const mail = { envelope, raw, signal, progress }
        const { response } = await transport.sendMail(mail)
        return { status: 'accepted', response }
      } catch (error) {
        return judgeFailure(error as DialogueFailure, progress.isEndSent)
      }
    },
    close: () => transport.close()
  }
}

/** Notes when the last of a mail leaves. A mail may have several connections, one after the other. */
function watch(message: MimeNode, progress: Progress): void {
  // The stream is read after the server asked for the data; the final dot follows its end.
  message.processFunc((input) =>
    input.pipe(inSlices()).once('end', () => {
      progress.isEndSent = true
    })
  )
  // A dialogue writes its errors into the envelope, so each needs a fresh one.
  const envelope = message.getEnvelope()
  message.getEnvelope = () => ({ ...envelope })
}
