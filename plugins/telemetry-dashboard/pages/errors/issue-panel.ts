// What the drawer shows of one issue: since when, how often, where, the latest errors and their stack.
import { type Format, type Span, shareBar, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { type Bucket, bucketStarts, fillBuckets, total } from '../buckets.ts'
import { failedLine } from '../parts.ts'
import { frameText } from '../records/facts.ts'
import type { RecordRow } from '../records/record.ts'
import { type Buckets, countsPath, path, recordsPath } from '../requests.ts'
import { type ValueLinks, valueLink } from '../value-link.ts'
import type { Issue } from './issues.ts'
import { spark } from './spark.ts'

/** Errors that are listed, and releases. */
const LATEST = 8
const MOST_RELEASES = 5
/** People that are listed. */
const MOST_PEOPLE = 20

interface Group {
  readonly value: string | null
  readonly tenantId?: string
  readonly count: number
}

export interface IssueDetail {
  readonly id: string
  /** How many in each bucket of the range. */
  readonly values: readonly number[]
  readonly latest: readonly RecordRow[]
  readonly releases: readonly Group[]
  /** Who was hit most. */
  readonly people: readonly Group[]
  /** How many were hit. */
  readonly hit: number
}

/** Asks for what the panel shows, under the filters of the page. */
export async function readDetail(
  id: string,
  filters: URLSearchParams,
  { span, ...asked }: Buckets & { readonly span: Span },
  read: (path: string) => Promise<unknown>
): Promise<IssueDetail> {
  const byRelease = { by: 'release', limit: String(MOST_RELEASES) }
  const bySubject = { by: 'subject', limit: String(MOST_PEOPLE) }
  const [series, records, releases, subjects] = await Promise.all([
    read(countsPath(filters, span, asked)),
    read(recordsPath(filters, span, null)),
    read(path('breakdown', filters, span, byRelease)),
    read(path('breakdown', filters, span, bySubject))
  ])
  const { buckets } = series as { readonly buckets: readonly Bucket[] }
  const { items } = records as { readonly items: readonly RecordRow[] }
  const { groups } = releases as { readonly groups: readonly Group[] }
  const hit = subjects as { readonly groups: readonly Group[]; readonly values: number }
  const people = hit.groups.filter(({ value }) => value !== null)
  // Errors without a subject are a group of their own, which is not a person.
  const isUnknown = people.length < hit.groups.length
  return {
    id,
    values: fillBuckets(buckets, bucketStarts(span, asked.interval, asked.timeZone), 0),
    latest: items.slice(0, LATEST),
    releases: groups,
    people,
    hit: hit.values - (isUnknown ? 1 : 0)
  }
}

export interface IssuePanelOptions extends ValueLinks {
  readonly format: Format
  readonly now: number
  readonly error: unknown
  /** Ids of records are then written with their tenant. */
  readonly isPlatform: boolean
  t(key: string, values?: Record<string, string | number>): string
  /** The address of the errors under the filters of the page, and these. */
  eventsHref(params: Record<string, string>): string
  traceHref(traceId: string): string
  journeyHref(ref: string, tenantId: string | undefined): string
}

function inRange(detail: IssueDetail | undefined, options: IssuePanelOptions): TemplateResult {
  const { t, format, error } = options
  if (detail === undefined) {
    return error === undefined || error === null
      ? html`<section aria-busy="true"><span class="bone"></span></section>`
      : html`<section>${failedLine(error, t)}</section>`
  }
  return html`<section>
    <h3>${t('issue.inRange')}: ${format.number(total(detail.values))}</h3>
    ${spark(detail.values)}
  </section>`
}

function releases(detail: IssueDetail | undefined, options: IssuePanelOptions) {
  const { t, format } = options
  const most = Math.max(1, ...(detail?.releases ?? []).map(({ count }) => count))
  if (detail === undefined || detail.releases.length === 0) return nothing
  return html`<section>
    <h3>${t('issue.byRelease')}</h3>
    <ul class="shares">
      ${detail.releases.map(
        ({ value, count }) => html`<li>
          ${value === null ? '–' : valueLink(options, { field: 'release', value }, value)}
          ${shareBar(count / most)}
          <span class="num">${format.number(count)}</span>
        </li>`
      )}
    </ul>
  </section>`
}

function people(
  { fingerprint }: Issue,
  detail: IssueDetail | undefined,
  options: IssuePanelOptions
): TemplateResult | typeof nothing {
  const { t, format, eventsHref, journeyHref } = options
  if (detail === undefined || detail.people.length === 0) return nothing
  const all = eventsHref({ fingerprint, by: 'subject' })
  return html`<section>
    <h3>${t('issue.people')}: ${format.number(detail.hit)}</h3>
    <ul class="latest">
      ${detail.people.map(
        ({ value, tenantId, count }) => html`<li>
          <a href=${journeyHref(value ?? '', tenantId)}>${value}</a>
          <span class="push"></span>
          <span class="num dim">${format.number(count)}</span>
        </li>`
      )}
    </ul>
    ${
      detail.hit > detail.people.length
        ? html`<p class="all"><a class="link" href=${all}>${t('issue.allPeople')}</a></p>`
        : nothing
    }
  </section>`
}

function latest(
  issue: Issue,
  detail: IssueDetail | undefined,
  options: IssuePanelOptions
): TemplateResult | typeof nothing {
  const { t, format, now, isPlatform, eventsHref, traceHref } = options
  if (detail === undefined) return nothing
  const { fingerprint } = issue
  const href = ({ _id, tenantId, occurredAt }: RecordRow) =>
    eventsHref({
      fingerprint,
      record: isPlatform ? `${tenantId} ${_id}` : _id,
      at: occurredAt
    })
  return html`<section>
    <h3>${t('issue.latest')}</h3>
    ${
      detail.latest.length === 0
        ? html`<p class="dim">${t('issue.noRows')}</p>`
        : html`<ul class="latest">
          ${detail.latest.map(
            (row) => html`<li>
              <a href=${href(row)} title=${format.dateTime(row.occurredAt, { millis: true })}
                >${timeText(row.occurredAt, now, format)}</a
              >
              <span class="dim">${row.service} ${row.release === 'unknown' ? '' : row.release}</span>
              <span class="push"></span>
              ${
                row.traceId === undefined
                  ? nothing
                  : html`<a href=${traceHref(row.traceId)}>${t('issue.trace')}</a>`
              }
            </li>`
          )}
        </ul>`
    }
    <p class="all"><a class="link" href=${eventsHref({ fingerprint })}>${t('issue.all')}</a></p>
  </section>`
}

function stack(detail: IssueDetail | undefined, { t }: IssuePanelOptions) {
  const frames = detail?.latest[0]?.error?.frames ?? []
  if (frames.length === 0) return nothing
  return html`<section>
    <h3>${t('issue.latestStack')}</h3>
    <pre tabindex="0">${frames.map(frameText).join('\n')}</pre>
  </section>`
}

export function issuePanel(
  issue: Issue,
  detail: IssueDetail | undefined,
  options: IssuePanelOptions
): TemplateResult {
  const { t, format, traceHref } = options
  const { type, message, fingerprint, firstAt, lastAt, total: ever, firstTraceId } = issue
  return html`<div slot="header" class="issue-head">
      <h2>${type || fingerprint}</h2>
      <p class="quiet">${message}</p>
    </div>
    <div class="record">
      ${inRange(detail, options)} ${releases(detail, options)} ${people(issue, detail, options)}
      <section>
        <h3>${t('issue.facts')}</h3>
        <dl class="facts">
          <dt>${t('issue.factLast')}</dt><dd>${format.dateTime(lastAt)}</dd>
          <dt>${t('issue.factFirst')}</dt><dd>${format.dateTime(firstAt)}</dd>
          ${ever === null ? nothing : html`<dt>${t('issue.factCount')}</dt><dd>${format.number(ever)}</dd>`}
          <dt>${t('fact.fingerprint')}</dt><dd>
            ${valueLink(options, { field: 'fingerprint', value: fingerprint }, html`<span class="mono">${fingerprint}</span>`)}
          </dd>
          ${
            firstTraceId === undefined
              ? nothing
              : html`<dt>${t('issue.firstTrace')}</dt>
                <dd><a class="mono" href=${traceHref(firstTraceId)}>${firstTraceId}</a></dd>`
          }
        </dl>
      </section>
      ${stack(detail, options)} ${latest(issue, detail, options)}
    </div>`
}
