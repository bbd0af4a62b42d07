// Resources for MCP clients: templates, flows, and pages of documentation.
import type { ActingOperations } from '@keelson/mailer/contracts'
import type { AgentHost } from '../agent-host.ts'
import { refusals } from '../answers/refusals.ts'
import { callRefusal } from '../boundary/judge-call.ts'
import type { Caller } from '../tokens/token-register.ts'
import { pageOf } from './page.ts'

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
  const lines = Object.entries(refusals.table).map(
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

type Kind = 'templates' | 'flows'

/** Whether a caller may read one of a kind. */
export type MayRead = (kind: Kind, slug: string) => boolean

/** As by the address of the admin API that answers the same. Undefined: a person who may not use the mailer. */
export const accessTo =
  ({ boundary }: Pick<AgentHost, 'boundary'>, caller: Caller | undefined): MayRead =>
  (kind, slug) =>
    caller !== undefined &&
    callRefusal(
      caller,
      {
        owner: 'mailer',
        method: 'GET',
        route: `/${kind}/:slug`,
        path: `/api/${kind}/${slug}`,
        effect: 'read'
      },
      boundary
    ) === undefined

/** A page of resources; `cursor` is that of the page before. Documentation is for everybody. */
export async function listResources(
  mailer: ActingOperations,
  {
    cursor,
    mayRead,
    more
  }: {
    readonly cursor?: string | undefined
    readonly mayRead: MayRead
    readonly more: readonly ListedResource[]
  }
): Promise<{ readonly resources: ListedResource[]; readonly nextCursor?: string }> {
  const docs = Object.entries(DOCS).map(([uri, { name }]) =>
    listed(uri, name, { description: name, mimeType: TEXT_TYPE })
  )
  const [templates, flows] = await Promise.all([
    mailer.call('mailer.templates.list', {}),
    mailer.call('mailer.flows.list', {})
  ])
  const rows = [
    ...docs,
    ...more,
    ...(templates.ok ? templates.answer : [])
      .filter(({ slug }) => mayRead('templates', slug))
      .map(({ slug, name, kind }) =>
        listed(`mailer://templates/${slug}`, name, { description: `A ${kind} template.` })
      ),
    ...(flows.ok ? flows.answer : [])
      .filter(({ slug }) => mayRead('flows', slug))
      .map(({ slug, name, enabled }) => {
        const description = `A flow that is ${enabled ? 'on' : 'off'}.`
        return listed(`mailer://flows/${slug}`, name, { description })
      })
  ]
  const { rows: resources, ...next } = pageOf(rows, cursor)
  return { resources, ...next }
}

const listed = (
  uri: string,
  name: string,
  { description, mimeType = JSON_TYPE }: { description: string; mimeType?: string }
): ListedResource => ({ uri, name, description, mimeType })

/** The text of a resource; null when the address is unknown, or not for the caller. */
export async function readResource(
  mailer: ActingOperations,
  uri: string,
  { mayRead }: { readonly mayRead: MayRead }
): Promise<{ readonly uri: string; readonly mimeType: string; readonly text: string } | null> {
  const page = Object.hasOwn(DOCS, uri) ? DOCS[uri] : undefined
  if (page !== undefined) return { uri, mimeType: TEXT_TYPE, text: page.text() }
  const [, kind, slug = ''] = /^mailer:\/\/(templates|flows)\/([a-z0-9-]{1,128})$/.exec(uri) ?? []
  if (kind === undefined || !mayRead(kind as Kind, slug)) return null
  const params = { slug }
  const document =
    kind === 'templates'
      ? await mailer.call('mailer.templates.read', { params })
      : await mailer.call('mailer.flows.read', { params })
  if (!document.ok) return null
  return { uri, mimeType: JSON_TYPE, text: JSON.stringify(document.answer, null, 2) }
}
