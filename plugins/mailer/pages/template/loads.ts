// What the Template page reads: the template, its check and preview with unsaved changes, versions, contacts.
import { type KeelsonPage, Load } from '@keelson/ui'
import type { MailApi } from '../mail-api.ts'
import type {
  CheckAnswer,
  DiffAnswer,
  PreviewAnswer,
  TemplateAnswer,
  UseAnswer,
  VersionAnswer
} from './answers.ts'
import { rowOf, type TemplateDraft } from './draft.ts'

/** What decides what is read. */
export interface TemplateAsked {
  readonly slug: string
  /** The contact that it is previewed as; empty for the sample contact. */
  readonly contact: string
  /** Versions and uses are in view. */
  readonly isSeen: boolean
  /** What sends the template is asked for: publishing changes it. */
  readonly wantsUses: boolean
  /** What is compared: `from` and `to`; undefined for nothing. */
  readonly compared: readonly [from: string, to: string] | undefined
}

/** A contact to preview as. */
export interface PreviewContact {
  readonly externalId: string
  readonly email: string
}

/** The loads of the page. */
export function templateLoads(
  page: KeelsonPage,
  {
    api,
    draft,
    asked
  }: { readonly api: MailApi; readonly draft: TemplateDraft; asked(): TemplateAsked }
) {
  const path = (slug: string, rest = '') => `/templates/${encodeURIComponent(slug)}${rest}`
  const row = new Load(page, {
    args: () => (asked().slug === '' ? null : ([asked().slug] as const)),
    run: async ([slug], signal) => {
      const answer = await api.find<TemplateAnswer>(path(slug), signal)
      if (answer !== null) draft.take(slug, rowOf(answer))
      return answer
    }
  })
  const edited = () =>
    row.value == null || draft.stamp === 0 ? null : ([asked().slug, draft.stamp] as const)
  const check = new Load(page, {
    quiet: true,
    args: edited,
    run: ([slug]) => api.act<CheckAnswer>('POST', path(slug, '/check'), draft.changes)
  })
  const preview = new Load(page, {
    quiet: true,
    args: () => {
      const now = edited()
      return now === null ? null : ([...now, asked().contact] as const)
    },
    run: ([slug, , contactId]) =>
      api.act<PreviewAnswer>('POST', path(slug, '/preview'), {
        ...draft.changes,
        ...(contactId !== '' && { contactId })
      })
  })
  const versions = new Load(page, {
    quiet: true,
    args: () =>
      row.value == null || !asked().isSeen ? null : ([asked().slug, row.value.version] as const),
    run: ([slug], signal) => api.read<readonly VersionAnswer[]>(path(slug, '/versions'), signal)
  })
  const uses = new Load(page, {
    quiet: true,
    args: () => {
      const { slug, isSeen, wantsUses } = asked()
      return row.value == null || !(isSeen || wantsUses) ? null : ([slug] as const)
    },
    run: ([slug], signal) => api.read<readonly UseAnswer[]>(path(slug, '/uses'), signal)
  })
  const contacts = new Load(page, {
    quiet: true,
    args: () => [] as const,
    run: async (_args, signal) => {
      const { contacts: found } = await api.read<{ readonly contacts: readonly PreviewContact[] }>(
        '/contacts?limit=50',
        signal
      )
      return found
    }
  })
  const diff = new Load(page, {
    quiet: true,
    args: () => {
      const { slug, compared } = asked()
      return compared === undefined ? null : ([slug, ...compared] as const)
    },
    run: ([slug, from, to], signal) =>
      api.read<DiffAnswer>(path(slug, `/diff?${new URLSearchParams({ from, to })}`), signal)
  })
  return { row, check, preview, versions, uses, contacts, diff }
}
