// What the drawer shows of one issue: since when, how often, the latest errors and their stack.
import { type Format, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import {
  type Bucket,
  bucketStarts,
  fillBuckets,
  type Interval,
  type Span,
  total
} from '../buckets.ts'
import { frameText, type RecordRow } from '../records/record.ts'
import { countsPath, recordsPath } from '../requests.ts'
import type { Issue } from './issues.ts'

/** Errors that are listed. */
const LATEST = 8

export interface IssueDetail {
  readonly fingerprint: string
  /** How many in each bucket of the range. */
  readonly values: readonly number[]
  readonly latest: readonly RecordRow[]
}

/** Asks for what the panel shows. */
export async function readDetail(
  fingerprint: string,
  span: Span,
  interval: Interval,
  read: (path: string) => Promise<unknown>
): Promise<IssueDetail> {
  const filters = new URLSearchParams({ kind: 'error', fingerprint })
  const [series, records] = await Promise.all([
    read(countsPath(filters, span, interval)),
    read(recordsPath(filters, span, null))
  ])
  const { buckets } = series as { readonly buckets: readonly Bucket[] }
  const { items } = records as { readonly items: readonly RecordRow[] }
  return {
    fingerprint,
    values: fillBuckets(buckets, bucketStarts(span, interval), 0),
    latest: items.slice(0, LATEST)
  }
}

export interface IssuePanelOptions {
  readonly format: Format
  readonly now: number
  readonly error: unknown
  /** Ids of records are then written with their tenant. */
  readonly isPlatform: boolean
  t(key: string, values?: Record<string, string | number>): string
  eventsHref(params: Record<string, string>): string
  traceHref(traceId: string): string
}

/** Bars of one colour, each as high as its share of the highest. */
function spark(values: readonly number[]): TemplateResult {
  const most = Math.max(1, ...values)
  const bar = (value: number, at: number) =>
    value === 0 ? '' : `M${at + 0.1} 40V${40 - (value / most) * 38}h.8V40z`
  return html`<svg
    class="spark"
    viewBox="0 0 ${Math.max(1, values.length)} 40"
    preserveAspectRatio="none"
    aria-hidden="true"
  ><path d=${values.map(bar).join('')}></path></svg>`
}

function inRange(detail: IssueDetail | undefined, options: IssuePanelOptions): TemplateResult {
  const { t, format, error } = options
  if (detail === undefined) {
    return error === undefined || error === null
      ? html`<section aria-busy="true"><span class="bone"></span></section>`
      : html`<section><keelson-error .error=${error}></keelson-error></section>`
  }
  return html`<section>
    <h3>${t('issue.inRange')}: ${format.number(total(detail.values))}</h3>
    ${spark(detail.values)}
  </section>`
}

function latest(
  issue: Issue,
  detail: IssueDetail | undefined,
  options: IssuePanelOptions
): TemplateResult | typeof nothing {
  const { t, format, now, isPlatform, eventsHref } = options
  if (detail === undefined) return nothing
  const { fingerprint } = issue
  const href = ({ _id, tenantId, occurredAt }: RecordRow) =>
    eventsHref({
      kind: 'error',
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
            </li>`
          )}
        </ul>`
    }
    <p><a class="link" href=${eventsHref({ kind: 'error', fingerprint })}>${t('issue.all')}</a></p>
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
  const { type, message, fingerprint, firstAt, lastAt, count, firstTraceId } = issue
  return html`<div slot="header" class="issue-head">
      <h2>${type || fingerprint}</h2>
      <p class="quiet">${message}</p>
    </div>
    <div class="record">
      <section>
        <h3>${t('issue.facts')}</h3>
        <dl class="facts">
          <dt>${t('issue.factLast')}</dt><dd>${format.dateTime(lastAt)}</dd>
          <dt>${t('issue.factFirst')}</dt><dd>${format.dateTime(firstAt)}</dd>
          <dt>${t('issue.factCount')}</dt><dd>${format.number(count)}</dd>
          <dt>${t('fact.fingerprint')}</dt><dd><span class="mono">${fingerprint}</span></dd>
          ${
            firstTraceId === undefined
              ? nothing
              : html`<dt>${t('issue.firstTrace')}</dt>
                <dd><a class="mono" href=${traceHref(firstTraceId)}>${firstTraceId}</a></dd>`
          }
        </dl>
      </section>
      ${inRange(detail, options)} ${stack(detail, options)} ${latest(issue, detail, options)}
    </div>`
}
