// mailer.contacts/v1: the host's contacts, as the mailer reads and tags them.

import {
  type Capability,
  defineCapability,
  optionalFunctions,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'
import type { MailContact } from './mailer-core.ts'

/** What contacts are selected by. Every key that is set must hold. */
export interface ContactFilter {
  readonly emailIn?: readonly string[]
  readonly externalIdIn?: readonly string[]
  readonly fieldEquals?: { readonly field: string; readonly value: unknown }
  readonly fieldIn?: { readonly field: string; readonly values: readonly unknown[] }
  readonly fieldExists?: string
  readonly hasTag?: string
  readonly hasTagIn?: readonly string[]
  readonly createdAfter?: Date
  readonly createdBefore?: Date
}

/** The order of a query, for adapters that support it. */
export interface ContactSort {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

/** A page of contacts. */
export interface ContactPage {
  readonly contacts: readonly MailContact[]
  /** Left out on the last page. */
  readonly nextCursor?: string
}

/**
 * Where contacts come from. An adapter must refuse a filter that it does not support by throwing: a filter
 * that is left out would mail people who were not meant.
 */
export interface ContactAdapter {
  getById(externalId: string): Promise<MailContact | null>
  /** Ignores the case of the address. */
  getByEmail(email: string): Promise<MailContact | null>
  /**
   * All contacts that have one of these addresses, any case. At most 1000 addresses at a time. Make it a read by an
   * index. Left out: lists by state ask `query` with `emailIn`.
   */
  getByEmails?(emails: readonly string[]): Promise<readonly MailContact[]>
  /** Contacts that exist, by id. At most 1000 ids at a time. */
  getBatch(externalIds: readonly string[]): Promise<ReadonlyMap<string, MailContact>>
  /** In an order that stays the same from page to page. Default limit 100. */
  query(
    filter: ContactFilter,
    options?: { readonly limit?: number; readonly cursor?: string; readonly sort?: ContactSort }
  ): Promise<ContactPage>
  count(filter: ContactFilter): Promise<number>
  /**
   * Contacts whose address or name begins with a text, any case, each once over all pages. Left out: people
   * find contacts by whole ids and addresses alone. Default limit 100.
   */
  search?(
    text: string,
    options?: { readonly limit?: number; readonly cursor?: string }
  ): Promise<ContactPage>
  readonly supportsSort?: boolean
  addTags?(externalId: string, tags: readonly string[]): Promise<void>
  removeTags?(externalId: string, tags: readonly string[]): Promise<void>
}

/** Provided by the host's own plugin. Without it the mailer has no contacts to mail. */
export const mailerContacts: Capability<ContactAdapter> = defineCapability<ContactAdapter>(
  'mailer.contacts/v1',
  Type.Object({
    supportsSort: Type.Optional(Type.Boolean()),
    ...requiredFunctions('getById', 'getByEmail', 'getBatch', 'query', 'count'),
    ...optionalFunctions('getByEmails', 'search', 'addTags', 'removeTags')
  })
)
