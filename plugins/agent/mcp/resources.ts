// Resources for MCP clients: templates, flows, and pages of documentation.
import { getFlow, getTemplate, listFlows, listTemplates, type MailerContext } from '@keelson/mailer'
import { REFUSALS } from '../answers/refusals.ts'

/** A resource as it is listed. */
export interface ListedResource {
  readonly uri: string
  readonly name: string
  readonly mimeType: string
  readonly description: string
}

const JSON_TYPE = 'application/json'
const TEXT_TYPE = 'text/markdown'

const GUIDE = `# From deployed to safely on

1. \`put_template\`: publish the template.
2. \`verify_template\`: every check must pass.
3. \`simulate_flow\`, \`simulate_many\`: what the flow would do.
4. \`gate_flow\`: only contacts with a tag get past the first step.
5. \`tag_contact\`, \`arm_flow\`, \`fire_event\`, \`advance_run\`: run it with test contacts.
6. \`wait_for_send\`: until the mail is delivered.
7. \`disarm_flow\`, \`ungate_flow\`, \`arm_flow\`: the flow is on for everybody who enters from now on.

Every refusal says in \`fix\` what to do next.
`

const DOCS: Readonly<Record<string, { readonly name: string; readonly text: () => string }>> = {
  'mailer://docs/guide': { name: 'From deployed to safely on', text: () => GUIDE },
  'mailer://docs/refusals': { name: 'Refusals and what to do about them', text: refusalsPage }
}

function refusalsPage(): string {
  const lines = Object.entries(REFUSALS).map(
    ([word, { status, message, fix }]) => `- \`${word}\` (${status}): ${message} ${fix}`
  )
  return `# Refusals\n\n${lines.join('\n')}\n`
}

/** Addresses that take a slug. */
export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'mailer://templates/{slug}',
    name: 'A template',
    description: 'The published version and its settings.',
    mimeType: JSON_TYPE
  },
  {
    uriTemplate: 'mailer://flows/{slug}',
    name: 'A flow',
    description: 'Its trigger, its steps and whether it is on.',
    mimeType: JSON_TYPE
  }
] as const

const PER_PAGE = 100

/** A page of resources; `cursor` is that of the page before. Documentation is for everybody. */
export async function listResources(
  context: MailerContext,
  { cursor, mayRead }: { readonly cursor?: string | undefined; readonly mayRead: boolean }
): Promise<{ readonly resources: ListedResource[]; readonly nextCursor?: string }> {
  const docs = Object.entries(DOCS).map(([uri, { name }]) => ({
    ...{ uri, name, mimeType: TEXT_TYPE },
    description: name
  }))
  const [templates, flows] = mayRead
    ? await Promise.all([listTemplates(context), listFlows(context)])
    : [[], []]
  const rows = [
    ...docs,
    ...templates.map(({ slug, name, kind }) =>
      listed(`mailer://templates/${slug}`, name, `A ${kind} template.`)
    ),
    ...flows.map(({ slug, name, enabled }) =>
      listed(`mailer://flows/${slug}`, name, `A flow that is ${enabled ? 'on' : 'off'}.`)
    )
  ]
  const from = /^\d{1,9}$/.test(cursor ?? '') ? Number(cursor) : 0
  const resources = rows.slice(from, from + PER_PAGE)
  const next = from + resources.length
  return next < rows.length ? { resources, nextCursor: String(next) } : { resources }
}

const listed = (uri: string, name: string, description: string): ListedResource => ({
  ...{ uri, name, description },
  mimeType: JSON_TYPE
})

/** The text of a resource; null when the address is unknown. */
export async function readResource(
  context: MailerContext,
  uri: string,
  { mayRead }: { readonly mayRead: boolean }
): Promise<{ readonly uri: string; readonly mimeType: string; readonly text: string } | null> {
  const page = Object.hasOwn(DOCS, uri) ? DOCS[uri] : undefined
  if (page !== undefined) return { uri, mimeType: TEXT_TYPE, text: page.text() }
  const [, kind, slug = ''] = /^mailer:\/\/(templates|flows)\/([a-z0-9-]{1,128})$/.exec(uri) ?? []
  if (kind === undefined || !mayRead) return null
  const row = kind === 'templates' ? await getTemplate(context, slug) : await getFlow(context, slug)
  return row === null ? null : { uri, mimeType: JSON_TYPE, text: JSON.stringify(row, null, 2) }
}
