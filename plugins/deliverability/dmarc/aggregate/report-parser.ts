// Reads an aggregate report as it arrives: invalid XML is read as well as it can be, and never half.
import { KeelsonError } from '@keelson/sdk'
import { Parser } from 'htmlparser2'
import { errors } from '../errors.ts'
import { createElement, type ElementText } from './element-text.ts'
import { readHead } from './read-head.ts'
import { readRecord } from './read-record.ts'
import type { AggregateRecord, AggregateReport } from './report.ts'

const MAX_DEPTH = 32
const MAX_TEXT = 2_048
/** Children of one record or head. The largest allowed record has a few hundred. */
const MAX_ELEMENTS = 5_000
/** Elements that hold elements: text between those is a mistake of the reporter. */
const CONTAINERS = new Set([
  'feedback',
  'report_metadata',
  'date_range',
  'policy_published',
  'record',
  'row',
  'policy_evaluated',
  'reason',
  'identifiers',
  'auth_results'
])

/** A report that is being read. */
export interface ReportParser {
  /** Takes the next part. @throws DMR_REPORT, DMR_DOCTYPE */
  write(text: string): void
  /** Takes no more. @throws DMR_REPORT when the report is not whole */
  end(): AggregateReport
}

interface Progress {
  readonly path: string[]
  readonly open: ElementText[]
  namespace: string | undefined
  metadata: ElementText | undefined
  policy: ElementText | undefined
  feedback: 'awaited' | 'open' | 'closed'
  isRecovered: boolean
  elements: number
  records: number
  totalMessages: number
  passCount: number
}

/** Makes a parser. Records go to `onRecord` as they end, in their order. */
export function createReportParser(onRecord: (record: AggregateRecord) => void): ReportParser {
  const progress: Progress = {
    path: [],
    open: [],
    namespace: undefined,
    metadata: undefined,
    policy: undefined,
    feedback: 'awaited',
    isRecovered: false,
    elements: 0,
    records: 0,
    totalMessages: 0,
    passCount: 0
  }
  let failure: unknown
  let openedAt = -1
  const guarded =
    <A extends readonly unknown[]>(act: (...given: A) => void) =>
    (...given: A): void => {
      if (failure !== undefined) return
      try {
        act(...given)
      } catch (error) {
        failure = error
      }
    }
  const parser: Parser = new Parser(
    {
      onopentag: guarded((name, attributes) => {
        openedAt = parser.endIndex
        openElement(progress, name, attributes)
      }),
      ontext: guarded((text) => addText(progress, text)),
      onclosetag: guarded((_name, isImplied) => {
        // The library calls the end of `<a/>` implied, too.
        const isMissing = isImplied && parser.endIndex !== openedAt
        closeElement(progress, isMissing, onRecord)
      }),
      onprocessinginstruction: guarded(checkInstruction)
    },
    // Only the five entities of XML and character references are decoded: nothing expands.
    { xmlMode: true, lowerCaseTags: true, decodeEntities: true }
  )
  const rethrow = () => {
    if (failure === undefined) return
    throw KeelsonError.is(failure) ? failure : invalid('its structure is unreadable', failure)
  }
  return {
    write(text) {
      if (text.includes('\ufffd')) progress.isRecovered = true
      parser.write(text)
      rethrow()
    },
    end() {
      parser.end()
      rethrow()
      return finish(progress)
    }
  }
}

function openElement(
  progress: Progress,
  given: string,
  attributes: Readonly<Record<string, string>>
): void {
  const name = given.slice(given.indexOf(':') + 1).toLowerCase()
  if (progress.feedback !== 'open') {
    if (name === 'feedback') openFeedback(progress, attributes)
    // A wrapper around the report.
    else progress.isRecovered = true
    return
  }
  if (progress.path.length >= MAX_DEPTH) throw invalid('its elements are nested too deeply')
  progress.elements++
  if (progress.elements > MAX_ELEMENTS) throw invalid('an element has too many parts')
  if (progress.path.length === 0) progress.elements = 1
  const element = createElement()
  const parent = progress.open.at(-1)
  const siblings = parent?.children.get(name)
  if (siblings) siblings.push(element)
  else parent?.children.set(name, [element])
  progress.path.push(name)
  progress.open.push(element)
}

function openFeedback(progress: Progress, attributes: Readonly<Record<string, string>>): void {
  if (progress.feedback === 'closed') throw invalid('it has more than one <feedback>')
  progress.feedback = 'open'
  const found = Object.entries(attributes).find(([name]) => /^xmlns(:|$)/.test(name))
  progress.namespace = found?.[1].trim()
}

function addText(progress: Progress, text: string): void {
  const element = progress.open.at(-1)
  const isContainer = element === undefined || CONTAINERS.has(progress.path.at(-1) ?? '')
  if (isContainer) {
    if (text.trim() !== '') progress.isRecovered = true
    return
  }
  const room = MAX_TEXT - element.text.length
  if (text.length > room) progress.isRecovered = true
  element.text += text.slice(0, room)
}

function closeElement(
  progress: Progress,
  isImplied: boolean,
  onRecord: (record: AggregateRecord) => void
): void {
  if (isImplied) progress.isRecovered = true
  if (progress.feedback !== 'open') return
  const element = progress.open.pop()
  const name = progress.path.pop()
  if (element === undefined) {
    // Without its end the report was cut off: what is missing is unknown.
    if (isImplied) throw invalid('it ends before </feedback>')
    progress.feedback = 'closed'
    return
  }
  if (progress.path.length > 0) return
  if (name === 'record') addRecord(progress, element, onRecord)
  else if (name === 'report_metadata') progress.metadata ??= element
  else if (name === 'policy_published') progress.policy ??= element
}

function addRecord(
  progress: Progress,
  element: ElementText,
  onRecord: (record: AggregateRecord) => void
): void {
  progress.records++
  const read = readRecord(element)
  if (read === undefined) throw invalid(`count of record ${progress.records} is not a number`)
  const { record, isCut } = read
  if (isCut) progress.isRecovered = true
  progress.totalMessages += record.count
  if (record.aligned) progress.passCount += record.count
  if (!Number.isSafeInteger(progress.totalMessages)) throw invalid('its counts are too large')
  onRecord(record)
}

/** A declaration could define entities or name an external file: neither has a place in a report. */
function checkInstruction(name: string): void {
  if (/^!(doctype|entity|element|attlist)/i.test(name)) throw errors.DMR_DOCTYPE()
}

function finish(progress: Progress): AggregateReport {
  const { feedback, isRecovered, records, totalMessages, passCount } = progress
  if (feedback === 'awaited') throw invalid('it has no <feedback>')
  if (feedback === 'open') throw invalid('it ends before </feedback>')
  const head = readHead(progress)
  if ('problem' in head) throw invalid(head.problem)
  const failCount = totalMessages - passCount
  const recovered = isRecovered || head.recovered
  return { ...head, recovered, records, totalMessages, passCount, failCount }
}

function invalid(problem: string, cause?: unknown) {
  return errors.DMR_REPORT({ problem, cause })
}
