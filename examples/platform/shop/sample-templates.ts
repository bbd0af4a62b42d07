// The templates and the flow of the shop's mail.
import { readFile } from 'node:fs/promises'

/** A template as it is published on the first start. */
export interface SampleTemplate {
  readonly slug: string
  readonly name: string
  readonly kind: 'marketing' | 'transactional'
  readonly description: string
  readonly tags: readonly string[]
  readonly subject: string
  readonly preheader: string
  /** A file in `templates/`, MJML or HTML. */
  readonly file: string
  readonly variablesSchema?: Readonly<
    Record<
      string,
      { readonly type: 'string' | 'number' | 'date' | 'array'; readonly required: true }
    >
  >
}

export const SAMPLE_TEMPLATES: readonly SampleTemplate[] = [
  {
    slug: 'welcome',
    name: 'Welcome',
    kind: 'transactional',
    description: 'The first mail of a new customer: three steps to begin with.',
    tags: ['onboarding'],
    subject: 'Welcome to Acme{{#if contact.fields.firstName}}, {{contact.fields.firstName}}{{/if}}',
    preheader: 'Three steps, about ten minutes.',
    file: 'welcome.mjml'
  },
  {
    slug: 'newsletter',
    name: 'Monthly notes',
    kind: 'marketing',
    description: 'What is new at Acme, once a month.',
    tags: ['newsletter'],
    subject: 'Three things we shipped this month',
    preheader: 'Faster search, answers with sources, and a report each Monday.',
    file: 'newsletter.mjml'
  },
  {
    slug: 'order-receipt',
    name: 'Order receipt',
    kind: 'transactional',
    description: 'The receipt of an order, right after it was placed.',
    tags: ['orders'],
    subject: 'Your receipt for order {{vars.orderId}}',
    preheader: '{{formatCurrency vars.totalCents vars.currency locale="en"}}, paid by card.',
    file: 'order-receipt.html',
    variablesSchema: {
      orderId: { type: 'string', required: true },
      placedAt: { type: 'date', required: true },
      currency: { type: 'string', required: true },
      items: { type: 'array', required: true },
      totalCents: { type: 'number', required: true }
    }
  }
]

export const ONBOARDING = {
  flow: {
    slug: 'onboarding',
    name: 'Onboarding',
    description:
      'Welcomes a new customer, and sends the monthly notes to beta customers a day later.',
    goal: 'A new customer connects data in the first week.',
    trigger: { type: 'event', eventName: 'user.signed_up', once: true }
  },
  steps: [
    { type: 'send', templateSlug: 'welcome' },
    { type: 'wait', value: 1, unit: 'days' },
    { type: 'condition', test: { hasTag: 'beta' }, ifFalse: 'exit' },
    { type: 'send', templateSlug: 'newsletter' }
  ]
} as const

/** The draft that a template is published from. Compiled modules are in dist/shop. */
export async function draftOf({ file, slug: _slug, kind: _kind, ...fields }: SampleTemplate) {
  const path = new URL(`../../shop/templates/${file}`, import.meta.url)
  const body = await readFile(path, 'utf8')
  const source = file.endsWith('.mjml') ? { mjml: body } : { html: body }
  return { ...fields, tags: [...fields.tags], ...source, trackOpens: true, trackClicks: true }
}
