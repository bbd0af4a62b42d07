// Compares two versions of a template, or its draft with what is published.
import type { VersionState } from '@keelson/sdk/versions'
import { type Comparison, compareStates } from '../../ledger/compare-states.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { TemplateFields } from '../../ledger/template-rows.ts'
import { versionedTemplate } from './versioned-template.ts'

/** Changes of the fields that publishing takes over. A template that was never published begins empty. */
export const compareTemplate = (
  context: MailerContext,
  slug: string,
  states: readonly [VersionState, VersionState]
): Promise<Comparison> => compareStates(context, versionedTemplate, slug, states, flat)

/** The sources of the body as fields, and empty texts as missing ones. */
function flat(fields: TemplateFields): object {
  const { body, ...head } = fields
  const sources = Object.entries(body).map(([name, value]) => [`body.${name}`, value] as const)
  const all = [...Object.entries(head), ...sources]
  return Object.fromEntries(all.filter(([, value]) => value !== '' && value !== null))
}
