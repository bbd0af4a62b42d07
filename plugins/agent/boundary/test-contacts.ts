// The boundary of the agent API: which addresses are of test contacts.
import { errors } from '../errors.ts'

/** A pattern that an address must match, or a function that decides. */
export type TestContacts = RegExp | ((email: string) => boolean)

/** Why an address is not mailed. */
export type BoundaryRefusal = 'test_contacts_not_configured' | 'not_a_test_contact'

/** The boundary of one router. */
export interface Boundary {
  readonly isConfigured: boolean
  /** null while test contacts are not configured. */
  isTestContact(email: string | undefined): boolean | null
  /** Undefined for a test contact. */
  refusal(email: string | undefined): BoundaryRefusal | undefined
}

/** The boundary that `testContacts` draws. Without it no address is of a test contact. */
export function createBoundary(testContacts: TestContacts | null | undefined): Boundary {
  const matches = matcherOf(testContacts ?? undefined)
  const isTestContact = (email: string | undefined) =>
    matches === undefined ? null : email !== undefined && matches(email.trim().toLowerCase())
  return {
    isConfigured: matches !== undefined,
    isTestContact,
    refusal(email) {
      const is = isTestContact(email)
      if (is === null) return 'test_contacts_not_configured'
      return is ? undefined : 'not_a_test_contact'
    }
  }
}

/** A pattern with the flag `g` or `y` would remember where it stopped. */
function matcherOf(testContacts: TestContacts | undefined) {
  if (typeof testContacts === 'function') return (email: string) => testContacts(email) === true
  if (testContacts === undefined) return undefined
  const pattern = new RegExp(testContacts.source, testContacts.flags.replace(/[gy]/g, ''))
  return (email: string) => pattern.test(email)
}

/**
 * The pattern of a configuration file.
 *
 * @throws AGT_TEST_CONTACTS
 */
export function testContactsPattern(source: string | null | undefined): RegExp | null {
  if (source === null || source === undefined || source === '') return null
  try {
    return new RegExp(source)
  } catch (cause) {
    throw errors.AGT_TEST_CONTACTS({ problem: (cause as Error).message, cause })
  }
}
