// How writes that must not be lost are made: acknowledged by the majority and journaled.
import { DURABLE } from '@keelson/sdk'
import type { ClientSession } from 'mongodb'

/** Options of a write: of its transaction, which is durable as a whole, or durable by itself. */
export const durably = (
  session: ClientSession | undefined
): typeof DURABLE | { readonly session: ClientSession } =>
  session === undefined ? DURABLE : { session }
