// What the Broadcast page reads: the broadcast, its recipients or those left out, and what a draft needs.
import { type KeelsonPage, ListLoad, Load } from '@keelson/ui'
import type {
  BroadcastDetail,
  BroadcastReport,
  LeftOutContact,
  Recipient,
  RecipientCount
} from '../broadcasts/answers.ts'
import type { MailApi } from '../mail-api.ts'
import type { TemplateChoice } from './compose-fields.ts'
import type { Matching } from './matching.ts'
import type { NamedSegment } from './segment-builder.ts'

const SIZE = 50

/** What decides what is read. */
export interface Reading {
  readonly api: MailApi
  /** The path of the broadcast in the API, with what follows it. */
  path(rest?: string): string
  readonly slug: () => string
  /** The state of the broadcast that was read. */
  readonly status: () => BroadcastDetail['status'] | undefined
  /** What is counted; undefined for nothing. */
  readonly counted: () => object | undefined
  take(row: BroadcastDetail): void
}

const isStarted = ({ status }: Reading): boolean => status() !== undefined && status() !== 'draft'

/** All loads of the page. */
export function broadcastLoads(page: KeelsonPage, reading: Reading) {
  const { api, path } = reading
  const row = new Load(page, {
    args: () => (reading.slug() === '' ? null : ([reading.slug()] as const)),
    run: async (_args, signal) => {
      const found = await api.find<BroadcastDetail>(path(), signal)
      if (found !== null) reading.take(found)
      return found
    }
  })
  const report = new Load(page, {
    quiet: true,
    args: () => (isStarted(reading) ? ([reading.slug()] as const) : null),
    run: (_args, signal) => api.read<BroadcastReport>(path('/report'), signal)
  })
  const watch = new Load(page, {
    args: () => (isStarted(reading) ? ([] as const) : null),
    run: async () => {
      const { defineWatchPanel } = await import('./watch/watch-panel.ts')
      defineWatchPanel()
      return true
    }
  })
  return { row, report, watch, ...ofDraft(page, reading), ...lists(page, reading) }
}

/** What a draft is composed with. */
function ofDraft(page: KeelsonPage, reading: Reading) {
  const { api } = reading
  const asked = () => (reading.status() === 'draft' ? ([] as const) : null)
  const templates = new Load(page, {
    quiet: true,
    args: asked,
    run: async (_args, signal) => {
      const all = await api.read<readonly TemplateChoice[]>('/templates', signal)
      return all.filter(({ kind }) => kind === 'marketing')
    }
  })
  const named = new Load(page, {
    quiet: true,
    args: asked,
    run: (_args, signal) => api.read<readonly NamedSegment[]>('/segments', signal)
  })
  const compose = new Load(page, { args: asked, run: () => import('./compose.ts') })
  return { templates, named, compose, ...ofAudience(page, reading) }
}

/** Who would be mailed, how many, and with what. */
function ofAudience(page: KeelsonPage, reading: Reading) {
  const { api, path } = reading
  const who = new Load(page, {
    quiet: true,
    args: () => {
      const { segmentDefinition } = (reading.counted() ?? {}) as { segmentDefinition?: object }
      const isAsked =
        ['who', 'preview'].includes(page.params.get('show') ?? '') &&
        segmentDefinition !== undefined
      return isAsked ? ([JSON.stringify({ segmentDefinition })] as const) : null
    },
    run: async ([asked]) => {
      const body: unknown = JSON.parse(asked)
      const found = await api.act<{ readonly contacts: readonly Matching[] }>(
        'POST',
        '/segments/preview',
        body
      )
      return found.contacts
    }
  })
  const count = new Load(page, {
    quiet: true,
    args: () => {
      const asked = reading.counted()
      return asked === undefined ? null : ([reading.slug(), JSON.stringify(asked)] as const)
    },
    run: ([, asked]) => api.act<RecipientCount>('POST', path('/segment/count'), JSON.parse(asked))
  })
  const preview = new Load(page, {
    args: () => (page.params.get('show') === 'preview' ? ([] as const) : null),
    run: async () => {
      const { definePreviewPanel } = await import('./preview/preview-panel.ts')
      definePreviewPanel()
      return true
    }
  })
  return { who, count, preview }
}

/** One of them is read: those who were left out take the place of the recipients. */
function lists(page: KeelsonPage, reading: Reading) {
  const { api, path } = reading
  const query = (more: Readonly<Record<string, string>>, cursor: string | null) =>
    new URLSearchParams({ limit: String(SIZE), ...more, ...(cursor !== null && { cursor }) })
  const recipients = new ListLoad(page, {
    args: () =>
      isStarted(reading) && !page.params.has('leftOut')
        ? ([reading.slug(), page.params.get('status') ?? ''] as const)
        : null,
    idOf: ({ _id }: Recipient) => _id,
    page: ([, status], { cursor }, signal) => {
      const narrowed: Record<string, string> =
        status === '' ? {} : status === 'look' ? { needsLook: 'true' } : { status }
      return api.list<Recipient>(path(`/recipients?${query(narrowed, cursor)}`), signal)
    }
  })
  const leftOut = new ListLoad(page, {
    args: () => {
      const reason = page.params.get('leftOut')
      return isStarted(reading) && reason !== null ? ([reading.slug(), reason] as const) : null
    },
    idOf: ({ externalId }: LeftOutContact) => externalId,
    page: ([, reason], { cursor }, signal) => {
      const narrowed: Record<string, string> = reason === 'all' ? {} : { reason }
      return api.list<LeftOutContact>(path(`/left-out?${query(narrowed, cursor)}`), signal)
    }
  })
  return { recipients, leftOut }
}
