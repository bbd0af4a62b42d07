// The seam to the host's contacts: who they are is known to the host alone.

export type {
  ContactAdapter,
  ContactFilter,
  ContactPage,
  ContactSort
} from '../contracts/mailer-contacts.ts'

/** The names of the methods that every adapter must have. */
export const ADAPTER_METHODS = ['getById', 'getByEmail', 'getBatch', 'query', 'count'] as const
