// What other plugins contribute to the mailer: live lists, and names that must be unique.
import type { ExtensionPoint, Host } from '@keelson/sdk'
import { EXPORT_PARTS } from '../audience/contacts/contact-records.ts'
import { mailerAdminApi } from '../contracts/mailer-admin-api.ts'
import { mailerBreaker } from '../contracts/mailer-breaker.ts'
import { mailerCampaigns } from '../contracts/mailer-campaigns.ts'
import { mailerContactData } from '../contracts/mailer-contact-data.ts'
import { mailerContacts } from '../contracts/mailer-contacts.ts'
import { mailerDmarcInbound } from '../contracts/mailer-dmarc-inbound.ts'
import { mailerEventListener } from '../contracts/mailer-event-listener.ts'
import { mailerImages } from '../contracts/mailer-images.ts'
import { type MailProvider, mailerProvider } from '../contracts/mailer-provider.ts'
import { mailerPublishGate } from '../contracts/mailer-publish-gate.ts'
import { mailerSendGate } from '../contracts/mailer-send-gate.ts'
import { mailerSetupCheck, type SetupCheck } from '../contracts/mailer-setup-check.ts'
import { mailerTick } from '../contracts/mailer-tick.ts'
import { mailerVerifyCheck } from '../contracts/mailer-verify-check.ts'
import { errors } from '../errors.ts'
import type { MailerExtensions } from '../ledger/extensions.ts'
import { RESERVED_KINDS } from '../ledger/send-id.ts'

type Contributed = Pick<Host, 'contributions' | 'contributors' | 'use'>

/** What the mailer itself knows. */
interface Given extends Pick<MailerExtensions, 'tickTasks'> {
  readonly hasOwnContacts: boolean
}

/** The contributions of all plugins, with a check that contacts are there: those of the host's code, or of a plugin. */
export function extensionsOf(
  host: Contributed,
  { hasOwnContacts, tickTasks }: Given
): MailerExtensions {
  return {
    sendGates: () => host.contributions(mailerSendGate),
    publishGates: () => host.contributions(mailerPublishGate),
    setupChecks: () => [
      ...(hasOwnContacts ? [] : [contactsCheck(host)]),
      ...host.contributions(mailerSetupCheck)
    ],
    tickTasks,
    verifyChecks: () => host.contributions(mailerVerifyCheck),
    adminApis() {
      const plugins = host.contributors(mailerAdminApi)
      return host
        .contributions(mailerAdminApi)
        .map((api, at) => ({ plugin: plugins[at] ?? api.name, api }))
    },
    campaigns: () => host.contributions(mailerCampaigns),
    eventListeners: () => host.contributions(mailerEventListener),
    contactData: () => host.contributions(mailerContactData),
    dmarcInbound: () => host.contributions(mailerDmarcInbound)[0],
    imageStore: () => host.use(mailerImages, { optional: true }),
    health: async () => (await host.use(mailerBreaker, { optional: true })?.health()) ?? null
  }
}

function contactsCheck(host: Contributed): SetupCheck {
  return {
    name: 'contacts',
    label: 'Contacts',
    run() {
      if (host.use(mailerContacts, { optional: true }) !== undefined) {
        return { severity: 'ok', message: 'A plugin provides contacts.' }
      }
      return {
        severity: 'warn',
        message: 'No plugin provides contacts, so there is no one to mail.',
        hint: 'Add a plugin that provides mailer.contacts/v1, or give an adapter to createMailerPlugin.'
      }
    }
  }
}

/**
 * Adds the contributed providers to those of the config, when every plugin is registered.
 *
 * @throws MLR_NAME_TAKEN
 */
export function addProviders(
  host: Contributed,
  providers: Record<string, MailProvider>,
  byName: Map<string, MailProvider>
): void {
  const own = Object.keys(providers)
  checkNames(host, mailerProvider, { kind: 'provider', own, nameOf: ({ name }) => name })
  for (const provider of host.contributions(mailerProvider)) {
    providers[provider.name] = provider
    byName.set(provider.name, provider)
  }
}

/** @throws MLR_NAME_TAKEN when two plugins contribute one name */
export function checkContributedNames(host: Contributed): void {
  const nameOf = ({ name }: { readonly name: string }) => name
  checkNames(host, mailerSendGate, { kind: 'send gate', nameOf })
  checkNames(host, mailerPublishGate, { kind: 'publish gate', nameOf })
  checkNames(host, mailerSetupCheck, { kind: 'setup check', nameOf })
  checkNames(host, mailerTick, { kind: 'task of the tick', nameOf })
  checkNames(host, mailerCampaigns, {
    kind: 'kind of campaigns',
    own: RESERVED_KINDS,
    nameOf: ({ kind }) => kind
  })
  checkNames(host, mailerEventListener, { kind: 'event listener', nameOf })
  checkNames(host, mailerContactData, { kind: 'part of an export', own: EXPORT_PARTS, nameOf })
  checkNames(host, mailerVerifyCheck, { kind: 'verify check', nameOf: ({ id }) => id })
}

interface Naming<T> {
  readonly kind: string
  readonly nameOf: (contribution: T) => string
  /** Names that the mailer has itself. */
  readonly own?: readonly string[]
}

function checkNames<T>(
  host: Contributed,
  point: ExtensionPoint<T>,
  { kind, nameOf, own = [] }: Naming<T>
): void {
  const owners = new Map(own.map((name) => [name, 'mailer']))
  const plugins = host.contributors(point)
  for (const [at, contribution] of host.contributions(point).entries()) {
    const name = nameOf(contribution)
    const other = owners.get(name)
    const plugin = plugins[at] ?? ''
    if (other !== undefined) throw errors.MLR_NAME_TAKEN({ kind, name, plugin, other })
    owners.set(name, plugin)
  }
}
