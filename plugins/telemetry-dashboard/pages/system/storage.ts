// What is stored, for how long, and which rollups are being recounted.
import { type Format, type TableColumn, tableView, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { kindTag } from '../records/columns.ts'
import type { BackfillAnswer, SystemAnswer } from './answer.ts'
import type { SystemWords } from './columns.ts'

type Kind = SystemAnswer['storage']['kinds'][number]
type Collection = SystemAnswer['storage']['collections'][number]

export interface StorageOptions extends SystemWords {
  readonly storage: SystemAnswer['storage']
  readonly backfills: readonly BackfillAnswer[]
  /** Why it could not be read. */
  readonly error: Error | undefined
}

function kindColumns({ t, format, now }: StorageOptions): TableColumn<Kind>[] {
  return [
    { id: 'kind', header: t('column.kind'), cell: ({ kind }) => kindTag(kind) },
    {
      id: 'records',
      header: t('storage.records'),
      width: 130,
      align: 'end',
      cell: ({ records }) => format.compact(records),
      hint: ({ records }) => format.number(records)
    },
    {
      id: 'last',
      header: t('storage.last'),
      width: 136,
      quiet: true,
      hideBelow: 520,
      cell: ({ lastAt }) => (lastAt === null ? '–' : timeText(lastAt, now, format))
    },
    {
      id: 'kept',
      header: t('storage.kept'),
      width: 110,
      align: 'end',
      cell: ({ retentionDays }) => keptText(retentionDays, t)
    }
  ]
}

const keptText = (days: number | null, t: SystemWords['t']): string =>
  days === null ? t('storage.forever') : t('storage.days', { count: days })

const figure = (
  id: string,
  header: string,
  read: (row: Collection) => string,
  more: object = {}
): TableColumn<Collection> => ({ id, header, width: 120, align: 'end', cell: read, ...more })

function collectionColumns(t: SystemWords['t'], format: Format): TableColumn<Collection>[] {
  return [
    { id: 'name', header: t('storage.collection'), mono: true, cell: ({ name }) => name },
    figure('documents', t('storage.documents'), ({ documents }) => format.compact(documents), {
      hideBelow: 460
    }),
    figure('stored', t('storage.stored'), ({ storedBytes }) => format.bytes(storedBytes)),
    figure('indexes', t('storage.indexes'), ({ indexBytes }) => format.bytes(indexBytes))
  ]
}

export function storagePart(options: StorageOptions): TemplateResult {
  const { storage, t, format, error } = options
  const { kinds, collections } = storage
  const sum = collections.reduce((all, one) => all + one.storedBytes + one.indexBytes, 0)
  const retention = tableView({
    heading: t('storage.retention'),
    note: t('storage.retentionNote'),
    columns: kindColumns(options),
    rows: kinds,
    idOf: ({ kind }) => kind,
    error
  })
  const stored = tableView({
    heading: t('storage.heading'),
    note: t('storage.total', { size: format.bytes(sum) }),
    columns: collectionColumns(t, format),
    rows: collections,
    idOf: ({ name }) => name
  })
  return html`${retention} ${collections.length === 0 ? nothing : stored} ${backfillPart(options)}`
}

function backfillPart({
  backfills,
  t,
  format,
  now
}: StorageOptions): TemplateResult | typeof nothing {
  if (backfills.length === 0) return nothing
  const columns: TableColumn<BackfillAnswer>[] = [
    { id: 'family', header: t('backfill.family'), mono: true, cell: ({ family }) => family },
    {
      id: 'position',
      header: t('backfill.position'),
      // A family without buckets is recounted tenant by tenant.
      cell: ({ position }) =>
        Number.isNaN(Date.parse(position)) ? position : format.dateTime(position)
    },
    {
      id: 'at',
      header: t('backfill.at'),
      width: 136,
      quiet: true,
      cell: ({ at }) => timeText(at, now, format)
    }
  ]
  return tableView({
    heading: t('backfill.heading'),
    note: t('backfill.note'),
    columns,
    rows: backfills,
    idOf: ({ family }) => family
  })
}
