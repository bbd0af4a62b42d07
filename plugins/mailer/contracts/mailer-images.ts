// mailer.images/v1: where the bytes of uploaded pictures are kept.
import {
  type Capability,
  defineCapability,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/**
 * Keeps the bytes of pictures, by ids of 32 hexadecimal digits that say what is in them: the same id is always
 * the same bytes, so that writing it again changes nothing. The mailer checks types and sizes before, and
 * answers the pictures at its own address.
 */
export interface ImageStore {
  /** At most 1 MiB. Kept for good when it resolves. */
  put(id: string, bytes: Uint8Array): Promise<void>
  /** null: there is none. */
  read(id: string): Promise<Uint8Array | null>
  /** Resolves too when there is none. */
  remove(id: string): Promise<void>
}

/** Provided by a plugin of the host. Without one the mailer keeps the bytes in its database. */
export const mailerImages: Capability<ImageStore> = defineCapability<ImageStore>(
  'mailer.images/v1',
  Type.Object(requiredFunctions('put', 'read', 'remove'))
)
