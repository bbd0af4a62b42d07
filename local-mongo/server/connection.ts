// One client's connection: reads messages, runs one at a time, waits until each answer is taken.
import type { Socket } from 'node:net'
import { decodeDoc } from '../bson/decode.ts'
import type { Client } from '../commands/command.ts'
import type { Dispatcher } from '../commands/dispatch.ts'
import { endForGoneClient } from '../commands/dispatch.ts'
import type { Log } from '../commands/log.ts'
import { OperationSlot } from '../commands/operations.ts'
import type { Outcome } from '../commands/outcome.ts'
import { FrameReader } from '../wire/frames.ts'
import type { CommandMessage, Envelope, Message, QueryMessage } from '../wire/message.ts'
import { decodeMessage, encodeLegacyReply, encodeReply } from '../wire/message.ts'
import { asHandshake, unsupportedQuery } from './legacy-query.ts'

/** Bytes that may wait for the command before them; then reading stops. */
const READ_AHEAD = 64 * 1024
/** A message that is not whole after this time without a byte costs the connection. */
const STALLED_MS = 120_000

/** What a connection needs of its server. */
export interface ConnectionServices {
  readonly dispatcher: Dispatcher
  readonly log: Log
  /** Called with the bytes of unfinished messages and untaken answers; returns false when the server holds too many bytes. */
  readonly holdBytes: (change: number) => boolean
}

/** Who is at the other end. */
export interface Peer {
  readonly id: number
  readonly name: string
  /** Came over a socket that only the folder's owner may open. */
  readonly isOwner: boolean
}

/** A connection at work. */
export interface Connection {
  readonly client: Client
  /** True while a command runs or an answer waits to be taken. */
  readonly isBusy: boolean
  /** Resolves once the socket is closed. */
  readonly closed: Promise<void>
  /** Cuts the connection. */
  destroy(): void
  /** Cuts it as soon as nothing runs. */
  endWhenIdle(): void
}

/** Serves a socket until it closes. */
export function serveConnection(
  socket: Socket,
  { id, name, isOwner }: Peer,
  services: ConnectionServices
): Connection {
  const client: Client = {
    connectionId: id,
    name,
    isOwner,
    appName: undefined,
    login: { kind: 'none' },
    slot: new OperationSlot(),
    isGone: false,
    endsWithConnection: false
  }
  const serving = new Serving(socket, client, services)
  // Nobody waits for the answer to a read whose client has said goodbye.
  const goodbye = (): void => {
    client.isGone = true
    endForGoneClient(client)
  }
  socket.once('end', goodbye)
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      goodbye()
      client.slot.close()
      serving.release()
      resolve()
    })
  })
  return {
    client,
    closed,
    get isBusy() {
      return serving.isBusy
    },
    destroy: () => serving.cut(),
    endWhenIdle: () => serving.endWhenIdle()
  }
}

class Serving {
  readonly #socket: Socket
  readonly #client: Client
  readonly #services: ConnectionServices
  readonly #frames = new FrameReader()
  #held = 0
  #isRunning = false
  #isWriting = false
  #isEnding = false
  /** Cut by this side: what has arrived is not run any more. */
  #isCut = false
  #replies = 0

  constructor(socket: Socket, client: Client, services: ConnectionServices) {
    this.#socket = socket
    this.#client = client
    this.#services = services
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', () => socket.destroy())
    socket.on('timeout', () => this.#stalled())
    // Commands that have arrived whole are run even when the client has said goodbye.
    socket.on('end', () => this.endWhenIdle())
    socket.setTimeout(STALLED_MS)
  }

  get isBusy(): boolean {
    return this.#isRunning
  }

  endWhenIdle(): void {
    this.#isEnding = true
    if (!this.#isRunning) this.#socket.end()
  }

  /** Ends the connection at once. */
  cut(): void {
    this.#isCut = true
    this.#socket.destroy()
  }

  /** Gives back what the unfinished message held. */
  release(): void {
    this.#services.holdBytes(-this.#held)
    this.#held = 0
  }

  #take(chunk: Buffer): void {
    this.#frames.push(chunk)
    if (this.#isRunning && this.#frames.heldBytes > READ_AHEAD) this.#socket.pause()
    if (!this.#account()) {
      this.#refuse('too many unfinished messages are held')
      return
    }
    if (!this.#isRunning) void this.#run()
  }

  #account(): boolean {
    const held = this.#frames.heldBytes
    const fits = this.#services.holdBytes(held - this.#held)
    this.#held = held
    return fits
  }

  #stalled(): void {
    if (this.#isWriting) this.#refuse('an answer was not taken')
    else if (this.#frames.heldBytes > 0 && !this.#isRunning) this.#refuse('a message stalled')
  }

  #refuse(reason: string): void {
    this.#services.log({
      level: 'warn',
      message: 'a connection was cut',
      client: this.#client.name,
      reason
    })
    this.cut()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    try {
      while (!this.#isCut) {
        const frame = this.#frames.read()
        if (frame === undefined) break
        if (!Buffer.isBuffer(frame)) {
          this.#refuse(`a message declares ${frame.declared} bytes, which is ${frame.fault}`)
          return
        }
        this.#account()
        await this.#answer(decodeMessage(frame))
        if (this.#frames.heldBytes <= READ_AHEAD) this.#socket.resume()
      }
    } finally {
      this.#isRunning = false
    }
    if (this.#isEnding) this.#socket.end()
    else this.#socket.resume()
  }

  async #answer(message: Message): Promise<void> {
    switch (message.kind) {
      case 'command':
        return this.#answerCommand(message)
      case 'query':
        return this.#answerQuery(message)
      case 'broken':
        return this.#refuse(message.reason)
    }
  }

  async #answerCommand(message: CommandMessage): Promise<void> {
    const outcome = await this.#services.dispatcher.run(message, this.#client)
    if (outcome.kind === 'close') {
      this.cut()
      return
    }
    if (message.moreToCome) return
    await this.#write(encodeReply(this.#envelope(message.requestId), outcome.fields, outcome.batch))
  }

  async #answerQuery(message: QueryMessage): Promise<void> {
    const outcome = await this.#runQuery(message)
    if (outcome.kind === 'close') {
      this.cut()
      return
    }
    await this.#write(encodeLegacyReply(this.#envelope(message.requestId), outcome.fields))
  }

  async #runQuery(message: QueryMessage): Promise<Outcome> {
    const handshake = asHandshake(message, decodeDoc)
    if (!handshake) return { kind: 'reply', fields: unsupportedQuery(message.namespace) }
    return this.#services.dispatcher.run(handshake, this.#client)
  }

  #envelope(responseTo: number): Envelope {
    this.#replies = (this.#replies + 1) & 0x7fffffff
    return { requestId: this.#replies, responseTo }
  }

  /** Resolves when the client has taken the answer as far as the system's own buffers. */
  async #write(bytes: Buffer): Promise<void> {
    const socket = this.#socket
    if (socket.destroyed || !socket.writable || socket.write(bytes)) return
    if (!this.#services.holdBytes(bytes.length)) {
      this.#refuse('too many answers wait to be taken')
    }
    this.#isWriting = true
    await new Promise<void>((resolve) => {
      const done = (): void => {
        socket.off('drain', done)
        socket.off('close', done)
        resolve()
      }
      socket.on('drain', done)
      socket.on('close', done)
    })
    this.#isWriting = false
    this.#services.holdBytes(-bytes.length)
  }
}
