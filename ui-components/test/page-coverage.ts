// Writes what Chromium ran of a page where Node writes its own coverage, so that reports count both.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'

const MAP = /\n\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,(\S+)\s*$/

let written = 0

/**
 * Starts to count what a page runs. The returned function ends it: call it before the page is closed. Does
 * nothing without NODE_V8_COVERAGE. Only files built with their source maps are counted.
 */
export async function countPage(page: Page): Promise<() => Promise<void>> {
  const folder = process.env['NODE_V8_COVERAGE']
  if (folder === undefined || folder === '') return async () => {}
  await page.coverage.startJSCoverage({ resetOnNavigation: false })
  return async () => {
    // A page that its test has closed can no longer be asked.
    if (page.isClosed()) return
    const scripts = await page.coverage.stopJSCoverage()
    mkdirSync(folder, { recursive: true })
    const name = `coverage-${process.pid}-page-${++written}.json`
    writeFileSync(join(folder, name), JSON.stringify(nodeCoverage(scripts)))
  }
}

type Scripts = Awaited<ReturnType<Page['coverage']['stopJSCoverage']>>

/** In the form of Node's files: the source maps beside the counts, the scripts as if they were files. */
function nodeCoverage(scripts: Scripts): object {
  const maps: Record<string, object> = {}
  const result: object[] = []
  for (const { url, scriptId, source = '', functions } of scripts) {
    const encoded = MAP.exec(source)?.[1]
    if (encoded === undefined) continue
    const file = pathToFileURL(resolve('coverage', `.${new URL(url).pathname}`)).href
    const data: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
    maps[file] = { lineLengths: source.split('\n').map(({ length }) => length), data, url: null }
    result.push({ scriptId, url: file, functions })
  }
  return { result, timestamp: 0, 'source-map-cache': maps }
}
