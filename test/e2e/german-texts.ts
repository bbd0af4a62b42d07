// English on a German page: texts with words of English, and keys of catalogs, beside what people wrote themselves.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Response } from 'playwright-core'
import { ROOT } from '../hosts/processes.ts'
import { drawn } from './demo-in-browser.ts'

/**
 * In the page: every text that is shown or read aloud, through shadow roots. Left out are mails in frames, code, and
 * choices that are not taken.
 */
const TEXTS = `(() => {
  const skipped = 'code, pre, kbd, .mono, textarea, script, style, svg, iframe, option:not(:checked)'
  const read = ['aria-label', 'title', 'alt', 'heading', 'label', 'text']
  const found = new Set()
  const note = (text) => {
    const words = text?.replace(/\\s+/g, ' ').trim()
    if (words) found.add(words)
  }
  const look = (node) => {
    for (const one of node.childNodes) {
      if (one.nodeType === Node.TEXT_NODE) note(one.data)
      if (one.nodeType !== Node.ELEMENT_NODE || one.matches(skipped)) continue
      if (one.localName !== 'slot' && !one.checkVisibility()) continue
      for (const name of read) note(one.getAttribute(name))
      if (one.shadowRoot) look(one.shadowRoot)
      look(one)
    }
  }
  look(document.body)
  return [...found]
})()`

/** Words that English sentences have and German ones do not. */
const ENGLISH =
  /(?<![\w{./:=@-])(the|is|of|and|for|with|has|have|must|are|not|from|this|that|it|its|when|which|yet|only|been|were|will|should|your|you|they|them|there|cannot|before|after|every|each|than|more|does|did|by|to)(?![\w}@=/-])/i
/** As keys of catalogs are: `trace.figures`. */
const KEY = /^[a-z][A-Za-z]*(\.[A-Za-z0-9_]+)+$/

/** What people of a host write in mails, and the names that they give. */
const WRITTEN = new Set([
  'name',
  'subject',
  'preheader',
  'label',
  'description',
  'goal',
  'html',
  'htmlSource',
  'mjmlSource',
  'plainText',
  // What a mail server said.
  'bounceReason',
  'errorMessage'
])
/** Sentences of servers are among these names and labels: those of settings, of checks and of requirements. */
const SAID = /\/(settings|setup-status|readiness)$/
/** Several reads in one request. */
const READS = /\/telemetry\/api\/reads\?/
/** All but alerts is what a host measures, in its own words. */
const MEASURED = /\/telemetry\/api\/(?!alerts|system)/

function collect(value: unknown, isWritten: boolean | string, written: Set<string>): void {
  if (typeof value === 'string') {
    if (isWritten === true || WRITTEN.has(String(isWritten)))
      written.add(value.replace(/\s+/g, ' ').trim())
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, one] of Object.entries(value)) {
    const name = Array.isArray(value) ? isWritten : key
    collect(one, isWritten === true ? true : name, written)
  }
}

/** Every name and value in what a host measures: they are shown as they are. */
function collectNames(value: unknown, names: Set<string>): void {
  if (typeof value === 'string') names.add(value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, one] of Object.entries(value)) {
    names.add(key)
    collectNames(one, names)
  }
}

/** A name of code as pages spell it: `spend_by_model` is "Spend by model". */
const spelled = (text: string): string =>
  text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ')

export interface WatchedTexts {
  /** What of the page is English. */
  english(): Promise<readonly string[]>
  /** Whether what the page has read of a host's own measurements holds the name. */
  isMeasured(name: string): Promise<boolean>
}

/** Watches what a page reads. */
export function watchTexts(page: Page): WatchedTexts {
  const written = new Set<string>()
  const measured = new Set<string>()
  const reading = new Set<Promise<void>>()
  const take = (body: unknown, path: string) => {
    const isMeasured = MEASURED.test(path)
    collect(body, isMeasured, written)
    if (isMeasured) collectNames(body, measured)
  }
  page.on('response', (answer: Response) => {
    const { pathname } = new URL(answer.url())
    if (!/\/(api|oauth|dev)\//.test(pathname) || SAID.test(pathname) || READS.test(answer.url()))
      return
    const read = answer
      .json()
      .then((body: unknown) => take(body, pathname))
      .catch(() => undefined)
    reading.add(read)
    void read.then(() => reading.delete(read))
  })
  // A page reads these lines as they come, and the browser keeps none of them.
  void page.route(READS, async (route) => {
    const reads = new URL(route.request().url()).searchParams.getAll('read')
    const answer = await route.fetch()
    const lines = (await answer.text()).trim().split('\n')
    for (const line of lines) {
      const { at, body } = JSON.parse(line) as { readonly at: number; readonly body: unknown }
      take(body, `/telemetry${reads[at]}`)
    }
    await route.fulfill({ response: answer })
  })
  // German words are modules of their own, which a page loads when it first asks for one.
  page.on('request', (request) => {
    if (request.resourceType() !== 'script') return
    const loaded = request
      .response()
      .then((answer) => answer?.finished())
      .then(() => undefined)
      .catch(() => undefined)
    reading.add(loaded)
    void loaded.then(() => reading.delete(loaded))
  })
  const allRead = async () => {
    while (reading.size > 0) await Promise.all(reading)
  }
  return {
    async isMeasured(name) {
      await allRead()
      return [...measured].some((one) => one.includes(name))
    },
    async english() {
      await allRead()
      await drawn(page)
      const texts = (await page.evaluate(TEXTS)) as readonly string[]
      const own = [...written]
        .filter((text) => text.length > 2)
        .flatMap((text) => [text, spelled(text)])
        .sort((one, other) => other.length - one.length)
      const rest = texts.map((text) => own.reduce((left, one) => left.replaceAll(one, ''), text))
      return texts.filter((text, at) => {
        const words = rest[at] ?? ''
        const isEnglish = ENGLISH.test(words) && !own.some((one) => one.includes(text))
        return isEnglish || (KEY.test(text) && isKey(text))
      })
    }
  }
}

let keys: ReadonlySet<string> | undefined

/** Whether a catalog has the key: then the page asked for it without that catalog. */
function isKey(text: string): boolean {
  keys ??= new Set(catalogKeys())
  return keys.has(text)
}

function catalogKeys(): readonly string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', 'plugins/**.en.json', 'ui-components/**.en.json'],
    {
      cwd: ROOT,
      encoding: 'utf8'
    }
  )
  return listed
    .split('\n')
    .filter((path) => path !== '')
    .flatMap((path) => Object.keys(JSON.parse(readFileSync(join(ROOT, path), 'utf8'))))
}
