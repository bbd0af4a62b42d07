// Renders a mail once more after its delivery: for its view in the browser, and to learn where its links lead.

import { withoutCredentials } from '../../audience/contacts/without-credentials.ts'
import { normalAddress } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { RenderedContent } from '../../ledger/prepared-template.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { hostRoots } from './host-roots.ts'
import { mailAddresses } from './mail-addresses.ts'

/** How a mail is rendered once more. */
export interface RenderAgain {
  /** Without tracking, its links lead straight to their targets. */
  readonly isTracked: boolean
  /** Default false: its links look alike and change nothing, for readers who are not its recipient. */
  readonly isForRecipient?: boolean
}

/**
 * With the published version and the data of today. Undefined when contact or template are gone, or it
 * cannot be rendered any more.
 */
export async function renderAgain(
  context: MailerContext,
  send: SendRow,
  { isTracked, isForRecipient = false }: RenderAgain
): Promise<RenderedContent | undefined> {
  const { adapter, config, templates, clock } = context
  const [contact, published] = await Promise.all([
    adapter.getById(send.externalId),
    templates.load([send.templateSlug])
  ])
  const template = published.get(send.templateSlug)
  if (contact === null || template === undefined) return undefined
  const { bodyFormat } = template
  const addresses = mailAddresses({
    config,
    send,
    template: { bodyFormat, trackOpens: false, trackClicks: isTracked },
    email: normalAddress(contact.email),
    now: clock.now(),
    isPreview: !isForRecipient
  })
  const { vars = {}, event } = isForRecipient ? send : withoutCredentials(config, send)
  const rendered = template.render({
    contact,
    vars,
    roots: await hostRoots(context, contact, send),
    addresses,
    ...defined({ event, texts: send.texts })
  })
  return rendered.ok ? rendered.mail : undefined
}
