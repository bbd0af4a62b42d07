// One command over a folder's own socket, and its answer: what hosts and the command line ask an engine.
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { decodeDoc } from '../bson/decode.ts'
import { encodeDoc } from '../bson/encode.ts'
import type { Doc, Value } from '../bson/value.ts'
import { FrameReader } from '../wire/frames.ts'
import { decodeMessage, encodeReply } from '../wire/message.ts'

/** Connects to a socket; `undefined` when no process listens there. */
export function openSocket(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}

/** Sends a command of the admin database; `undefined` when the connection ends without an answer. */
export function callOwner(
  socket: Socket,
  name: string,
  fields: Readonly<Record<string, Value>>
): Promise<Doc | undefined> {
  const command: Doc = new Map<string, Value>([
    [name, true],
    ...Object.entries(fields),
    ['$db', 'admin']
  ])
  return new Promise((resolve) => {
    const frames = new FrameReader()
    const settle = (answer: Doc | undefined): void => {
      socket.off('close', ended)
      socket.off('data', read)
      resolve(answer)
    }
    const ended = (): void => settle(undefined)
    const read = (chunk: Buffer): void => {
      frames.push(chunk)
      const frame = frames.read()
      if (frame === undefined) return
      const message = Buffer.isBuffer(frame) ? decodeMessage(frame) : undefined
      settle(message?.kind === 'command' ? decodeDoc(message.body) : undefined)
    }
    socket.on('close', ended)
    socket.on('data', read)
    socket.write(encodeReply({ requestId: 1, responseTo: 0 }, encodeDoc(command)))
  })
}
