// The open connections of a server, so that answers in hand can end them when the host drains.
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { currentAnswer } from '../fastify-internals/current-answer.ts'

export interface Connections {
  /**
   * Asks the callers of answers that have not begun to close their connections afterwards.
   *
   * @param inHand how many answers are not finished. More than there are connections with one means
   *   pipelined requests: then nothing is said, because the answers behind would be lost
   */
  sendClose(inHand: number): void
  /** How many are open. */
  open(): number
}

/** Costs a request nothing: connections are noted, and answers found when they are wanted. */
export function watchConnections(server: Pick<Server, 'on'>): Connections {
  const sockets = new Set<Socket>()
  const watch = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  }
  server.on('connection', watch)
  // A TLS server emits `secureConnection` with the socket that carries the requests.
  server.on('secureConnection', watch)
  return {
    open: () => sockets.size,
    sendClose(inHand) {
      const answers = [...sockets].flatMap((socket) => currentAnswer(socket) ?? [])
      if (inHand > answers.length) return
      for (const answer of answers) {
        if (!answer.headersSent) answer.setHeader('connection', 'close')
      }
    }
  }
}
