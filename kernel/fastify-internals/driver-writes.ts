// Ends writes on connections of the MongoDB driver that are closed: the driver itself waits for them for good.
import { EventEmitter } from 'node:events'
import { connectionOf } from './driver-commands.ts'

/** What is used of a connection, which is not public. */
interface Connection extends EventEmitter {
  /** Why it is closed. Set before it emits `close`. */
  readonly error: Error | null
  writeCommand(...given: readonly unknown[]): Promise<void>
}

const changed = new WeakSet<object>()

/**
 * Makes each write fail when its connection closes, for every client of the process, also those that an app gives.
 * The driver writes and waits for the `drain` of the socket. A socket that was destroyed without an error, as when the
 * server ended, refuses the write without a further event: the command never ended, nor did what waits for it, such as
 * a flush of telemetry, or the monitor that finds the server again. Now the command fails with the error of its
 * connection, and the driver sends it again where it may.
 *
 * Once for a process; a driver whose connections are not known stays as it is.
 */
export function endLostWrites(
  connection: { readonly prototype: object } | null = connectionOf()
): void {
  const prototype = connection?.prototype
  if (!hasWrites(prototype) || changed.has(prototype)) return
  changed.add(prototype)
  const write = prototype.writeCommand
  prototype.writeCommand = async function (this: Connection, ...given: readonly unknown[]) {
    let onClose = () => {}
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(this.error)
    })
    this.once('close', onClose)
    try {
      await Promise.race([write.call(this, ...given), closed])
    } finally {
      this.off('close', onClose)
    }
  }
}

const hasWrites = (prototype: object | undefined): prototype is Connection =>
  prototype instanceof EventEmitter &&
  'writeCommand' in prototype &&
  typeof prototype.writeCommand === 'function'
