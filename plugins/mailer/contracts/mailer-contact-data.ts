// mailer.contact-data/v1: what a plugin keeps of contacts, for exports and erasures.
import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** Whose data it is. */
export interface ContactSubject {
  readonly externalId: string
  /** The addresses that the mailer knows of the contact. */
  readonly addresses: readonly string[]
}

/** What one plugin keeps of contacts. */
export interface ContactData {
  /** The key of its part of an export, unique: camelCase. */
  readonly name: string
  /**
   * What is stored of the contact. Dates become texts. Called by `exportContactData`. A throw fails the export: one that
   * leaves something out would be wrong.
   */
  export(contact: ContactSubject): Promise<unknown>
  /**
   * Erases the contact. Durable when it resolves, and safe to repeat: a throw fails `forget`, which is then called
   * again and goes on where it ended.
   */
  forget(contact: ContactSubject): Promise<void>
}

/** Owned by the mailer. */
export const mailerContactData: ExtensionPoint<ContactData> = defineExtensionPoint<ContactData>(
  'mailer.contact-data/v1',
  Type.Object({
    name: Type.String({ pattern: '^[a-z][a-zA-Z0-9]*$', maxLength: 64 }),
    ...requiredFunctions('export', 'forget')
  })
)
