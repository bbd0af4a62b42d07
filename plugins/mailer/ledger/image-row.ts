// An uploaded picture as stored.
import type { Binary } from 'mongodb'

/** A row of `mailer_images`; `_id` says what is in it: the first 32 hexadecimal digits of its SHA-256. */
export interface ImageRow {
  readonly _id: string
  readonly name: string
  readonly type: 'png' | 'jpeg' | 'gif' | 'webp'
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Bytes. */
  readonly size: number
  /** Left out where a plugin keeps the bytes. */
  readonly bytes?: Binary
  readonly createdAt: Date
  readonly createdBy: string
}
