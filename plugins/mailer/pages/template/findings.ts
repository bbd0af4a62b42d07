// What checks found in a template, and where in its source. Pure.
import type { CheckAnswer, LintAnswer } from './answers.ts'

/** How bad a finding is: errors block publishing. */
export type Severity = 'error' | 'warning' | 'info'

/** Something that was found. */
export interface Finding {
  readonly severity: Severity
  /** As `url_shortener`. */
  readonly rule: string
  readonly message: string
  readonly hint: string
  /** Where in the source; undefined when it is about the whole mail. */
  readonly at?: { readonly from: number; readonly to: number; readonly line: number }
}

const withoutAlt = /<(?:mj-image|img)\b(?![^>]*\balt=)[^>]*>/i
/** Names in a message that the source may hold: variables, hosts and addresses, what is quoted. */
const NAMES = /vars\.\w+|https?:\/\/\S+|(?:[\w-]+\.)+[a-z]{2,}|["“]([^"”]+)["”]/gi

/** All findings, errors first, with their places in the source. */
export function findingsOf(check: CheckAnswer | undefined, source: string): readonly Finding[] {
  if (check === undefined) return []
  const { refusal, reports, warnings } = check
  const lint = refusal?.lint ?? reports.lint
  const of = (severity: Severity, found: readonly LintAnswer[] = []) =>
    found.map(({ rule, message, hint = '' }) => ({ severity, rule, message, hint }))
  const refused =
    refusal === null || (refusal.lint?.errors ?? []).length > 0
      ? []
      : of('error', [{ rule: refusal.error, message: refusal.message ?? refusal.error }])
  const unplaced = [
    ...refused,
    ...of('error', lint?.errors),
    ...of('warning', lint?.warnings),
    ...of('info', lint?.infos)
  ]
  return [
    ...unplaced.map((finding) => withPlace(finding, source)),
    ...warnings.map(({ message, line }) => atLine(message, line, source))
  ].sort((a, b) => RANK[a.severity] - RANK[b.severity])
}

const RANK = { error: 0, warning: 1, info: 2 } as const

function withPlace(finding: Finding, source: string): Finding {
  const span = spanOf(finding, source)
  return span === undefined
    ? finding
    : { ...finding, at: { ...span, line: lineAt(source, span.from) } }
}

function atLine(message: string, line: number | undefined, source: string): Finding {
  const finding: Finding = { severity: 'warning', rule: 'mjml', message, hint: '' }
  const span = line === undefined ? undefined : lineSpan(source, line)
  return span === undefined || line === undefined ? finding : { ...finding, at: { ...span, line } }
}

/** Where the source holds what a message names; the longest name first. */
function spanOf({ rule, message }: Finding, source: string) {
  const line = /\bline (\d+)\b/i.exec(message)?.[1]
  if (line !== undefined) return lineSpan(source, Number(line))
  if (rule.includes('alt')) {
    const found = withoutAlt.exec(source)
    if (found !== null) return { from: found.index, to: found.index + found[0].length }
  }
  const listed = (/: (.+)\.$/.exec(message)?.[1] ?? '').split(/, ?/)
  const named = [...message.matchAll(NAMES)].map(([all, quoted]) => quoted ?? all)
  const text = source.toLowerCase()
  for (const name of [...named, ...listed]) {
    const clean = name.replace(/[.,:]$/, '').toLowerCase()
    const from = clean.length < 3 ? -1 : text.indexOf(clean)
    if (from !== -1) return { from, to: from + clean.length }
  }
  return undefined
}

const lineAt = (source: string, at: number): number => source.slice(0, at).split('\n').length

function lineSpan(source: string, line: number) {
  const lines = source.split('\n')
  const text = lines[line - 1]
  if (text === undefined) return undefined
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
  const from = start + (text.length - text.trimStart().length)
  return { from, to: start + text.length }
}
