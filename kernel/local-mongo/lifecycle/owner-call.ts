// One command over a folder's own socket, and its answer: what hosts and the command line ask an engine.
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { Doc, Value } from '../bson/value.ts'
import { decodeDoc, encodeDoc } from '../bson/value.ts'
import { FrameReader } from '../wire/frames.ts'
import { decodeMessage, encodeReply } from '../wire/message.ts'

/** Connects to a socket; `undefined` when nobody listens there. */
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
    socket.once('close', () => resolve(undefined))
    socket.on('data', (chunk: Buffer) => {
      frames.push(chunk)
      const frame = frames.read()
      if (frame === undefined) return
      const message = Buffer.isBuffer(frame) ? decodeMessage(frame) : undefined
      resolve(message?.kind === 'command' ? decodeDoc(message.body) : undefined)
    })
    socket.write(encodeReply({ requestId: 1, responseTo: 0 }, encodeDoc(command)))
  })
}
