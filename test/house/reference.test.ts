// The printed pages are what their sources print.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'

// Seen from test/dist/house.
const build = new URL('../../../.build/', import.meta.url)
const { outdatedPages } = (await import(new URL('print-reference.mjs', build).href)) as {
  outdatedPages(): Promise<string[]>
}
const { apiReport } = (await import(new URL('reference/api-report.mjs', build).href)) as {
  apiReport(folder: string): string
}

const SAMPLE = `// A sample.
import type { Readable } from 'node:stream'

/** Hidden from the report. */
const secret = 1

/** Reads. */
export async function read(source: Readable, { limit = secret }: { limit?: number } = {}): Promise<string> {
  return String(limit)
}

export class Reader {
  static readonly kind = 'reader'
  #rest = ''
  private other = 2
  limit = 3
  next(): string {
    return this.#rest + this.other
  }
}

export const marks = { a: 1, b: ['x'] } as const
`

test('each printed page is up to date; `npm run reference` prints them again', async (t) => {
  t.same(await outdatedPages(), [])
})

test('an API report holds what callers see, without bodies, comments and private members', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-report-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const exports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'sample', exports }))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ include: ['*.ts'] }))
  writeFileSync(join(folder, 'index.ts'), SAMPLE)
  const [, declarations] = apiReport(folder).split(/```(?:ts)?\n/)
  t.equal(
    declarations,
    `export class Reader {
    static readonly kind: "reader";
    limit: number;
    next(): string;
}

export const marks: {
    readonly a: 1;
    readonly b: readonly [
        "x"
    ];
};

export async function read(source: Readable, { limit = secret }: {
    limit?: number;
} = {}): Promise<string>;
`
  )
})
