// What lists say against domains and addresses, each with what its operator asks for.

import { type Format, timeText } from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { DnsblReport } from '../../operations/report.ts'

/** A check as the answer has it. */
export type Check = DnsblReport['checks'][number]

/** The language of the card. */
export interface ListWords {
  readonly format: Format
  t(key: string, values?: Readonly<Record<string, string | number>>): string
}

/** What was listed, where, and the answer: as operators of lists ask for it, in no language. */
export const listingFacts = ({ target, list, codes, runAt }: Check): string =>
  [
    target,
    ...codes.map(({ code, meaning }) => `${list}: ${code} (${meaning})`),
    ...(runAt === null ? [] : [runAt])
  ].join('\n')

/** One part for each listing. */
export function listingCard(listings: readonly Check[], words: ListWords): TemplateResult {
  const { t } = words
  return html`<section class="card">
    <header><h2>${t('lists.listings')}</h2><span class="dim">${t('lists.listingsNote')}</span></header>
    <ul class="listings">${listings.map((one) => html`<li>${listing(one, words)}</li>`)}</ul>
  </section>`
}

function listing(check: Check, { t, format }: ListWords): TemplateResult {
  const { target, list, listLabel, codes, runAt } = check
  const facts = [
    [t('lists.target'), target],
    [t('lists.list'), list],
    [t('lists.answer'), codes.map(({ code }) => code).join(', ') || '–']
  ] as const
  return html`<div class="head"><h3>${t('lists.listedBy', { target, list: listLabel })}</h3>
      <p class="whole">${t('lists.copyAll')} <keelson-copy text=${listingFacts(check)} label=${t('lists.copyAll')}></keelson-copy></p></div>
    <p>${codes.map(({ meaning }) => meaning).join('; ')}</p>
    <dl>
      ${facts.map(
        ([name, fact]) => html`<div><dt>${name}</dt><dd class="mono">${fact}
          <keelson-copy text=${fact} label=${t('lists.copy', { what: name })}></keelson-copy></dd></div>`
      )}
      <div><dt>${t('lists.checkedOn')}</dt><dd title=${runAt === null ? '' : format.dateTime(runAt)}>${runAt === null ? '–' : timeText(runAt, Date.now(), format)}</dd></div>
    </dl>`
}
