// What a contact adapter over a collection of MongoDB is configured with.

import type { Collection, Document } from 'mongodb'
import type { MailContact } from '../../../contracts/mailer-core.ts'
import type { ContactFilter } from '../../../ledger/adapter.ts'

/** What `createMongoContactAdapter` takes. Fields are paths as `profile.email`. */
export interface MongoContactOptions {
  /** A `Db`, or the host of a plugin that declares the collection. */
  readonly db: { collection(name: string): Collection }
  /** Name of the collection. */
  readonly collection: string
  /**
   * Default `email`. Make an index on it; where addresses are not stored in lower case, a second one with the
   * collation `{locale: 'en', strength: 2}`, or unknown addresses are looked for in the whole collection.
   */
  readonly emailField?: string
  /**
   * Whether every address is stored in lower case: one that the index on it does not have is then not looked for
   * again. Default false.
   */
  readonly emailsInLowerCase?: boolean
  /** Default `_id`. Texts, ObjectIds or whole numbers; needs an index. */
  readonly idField?: string
  /**
   * Fields that people find contacts by, from their beginning: `['email', 'lastName']`. Each needs an index on
   * the field and then the id. A value is found as it was typed, in lower case, and with one capital. Default:
   * none, so contacts are found by whole ids and addresses alone.
   */
  readonly searchFields?: readonly string[]
  /** Default: contacts have no tags, and filters by tag are refused. */
  readonly tagsField?: string
  /** Whether the mailer may write `tagsField`. Default false: it keeps its tags itself. */
  readonly tagsWritable?: boolean
  /** `strings`: `['vip']`; `objects`: `[{name: 'vip'}]`. Default `strings`. */
  readonly tagsArrayShape?: 'strings' | 'objects'
  /** Field of the time of creation. Default: filters by that time are refused. */
  readonly createdAtField?: string
  /** Default: the address in lower case, and every other field of the document in `fields`. */
  readonly toContact?: (document: Document) => MailContact
  /** A filter as a query; undefined: as the adapter does it. It must select no more than the filter says. */
  readonly translateFilter?: (filter: ContactFilter) => Document | undefined
  /** Ids per query of `getBatch`. Default 1000, which are the mails of a batch. */
  readonly batchSize?: number
}

/** The same with defaults filled in. */
export type MongoContactFields = MongoContactOptions &
  Required<
    Pick<
      MongoContactOptions,
      'emailField' | 'idField' | 'tagsArrayShape' | 'tagsWritable' | 'batchSize'
    >
  >
