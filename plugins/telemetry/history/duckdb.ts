// DuckDB's module: whether it is installed, found without loading it, and the module once it is needed.
import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'

/** DuckDB's module as it is passed on. Its types are not among ours: the package may be missing. */
export interface DuckDBModule {
  readonly DuckDBInstance: unknown
}

/** Where an instance of telemetry has DuckDB from. */
export interface DuckDBSource {
  /** Whether the package and its binary for this platform are there. Loads neither. */
  isInstalled(): boolean
  /** Undefined where it cannot be loaded. */
  load(): Promise<DuckDBModule | undefined>
  /** Milliseconds without a read after which its memory is given back. Default five minutes. */
  readonly idleMs?: number
}

const here = () => createRequire(import.meta.url)
const inside = () => createRequire(here().resolve('@duckdb/node-api'))
const BINDINGS = '@duckdb/node-bindings'

/** The package that is installed beside this one. */
export const installedDuckDB: DuckDBSource = {
  isInstalled() {
    try {
      const bindings = inside().resolve(BINDINGS)
      return BINARIES.some((name) => isThere(bindings, `@duckdb/node-bindings-${name}/duckdb.node`))
    } catch {
      return false
    }
  },
  async load() {
    try {
      // In turns, because others wait. An import would read all files of the library twice.
      inside()(BINDINGS)
      await setImmediate()
      for (const part of PARTS) {
        readPart(part)
        await setImmediate()
      }
      return here()('@duckdb/node-api') as DuckDBModule
    } catch {
      return undefined
    }
  }
}

/** Most files of the library. */
const PARTS = ['@duckdb/node-api/lib/DuckDBType.js', '@duckdb/node-api/lib/DuckDBVector.js']

/** A part that a later version has elsewhere is read with the rest. */
function readPart(name: string): void {
  try {
    here()(name)
  } catch {
    // The library itself tells what is wrong with it.
  }
}

/** Of this platform; the second is for Linux without glibc. */
const BINARIES = [
  `${process.platform}-${process.arch}`,
  `${process.platform}-${process.arch}-musl`
] as const

function isThere(from: string, name: string): boolean {
  try {
    createRequire(from).resolve(name)
    return true
  } catch {
    return false
  }
}
