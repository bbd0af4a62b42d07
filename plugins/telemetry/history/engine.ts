// DuckDB in this process: opened when it is first needed, within bounds, without a way out but the cache's folders.
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { errors } from '../errors.ts'
import { startSlices } from '../queries/slices.ts'
import { type Cell, cellsOf } from './cells.ts'
import type { DuckDBModule } from './duckdb.ts'

/** One connection, with temporary tables of its own. */
export interface Session {
  /** What is read of every row. Others run between chunks of rows. */
  rows<T>(
    sql: string,
    values: readonly string[],
    read: (cells: readonly Cell[]) => T
  ): Promise<readonly T[]>
  /** The first column of every row, a text. */
  texts(sql: string, values?: readonly string[]): Promise<readonly string[]>
  run(sql: string, values?: readonly string[]): Promise<void>
  /** Fills a table of one text column. */
  fill(table: string, lines: readonly string[]): Promise<void>
}

/** A connection that is kept. */
export interface OpenSession {
  readonly session: Session
  close(): void
}

export interface Engine {
  /**
   * Lends a connection, which is closed afterwards. A signal interrupts its statements.
   *
   * @throws TEL_HISTORY_READ when a statement takes too long, or more memory than it may.
   */
  use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** A connection beside those that are lent. */
  open(): Promise<OpenSession>
  /** Gives back the memory when no connection is at work or kept; the next one opens it again. Whether it did. */
  rest(): boolean
  close(): void
}

/** A database in memory, compressed, that all connections share. */
export const MIRROR = 'mirror'

export interface EngineOptions {
  /** The only folders that files may be in. */
  readonly folders: readonly string[]
  readonly memoryMb: number
  readonly threads: number
  /** Called when no connection was lent for a while. */
  readonly onIdle?: () => void
  /** Milliseconds of that. Default five minutes. */
  readonly idleMs?: number
}

type DuckDB = typeof import('@duckdb/node-api')

/** Connections at work; others wait. */
const CONNECTIONS = 4
/** Of one statement. */
const MAX_TIME_MS = 30_000
/** Rows of one chunk of DuckDB. */
const CHUNK = 2048

export function createEngine(module: DuckDBModule, options: EngineOptions): Engine {
  const duckdb = module as DuckDB
  const turns = connectionTurns(CONNECTIONS)
  const idle = idleTimer(options)
  let opened: Promise<DuckDBInstance> | undefined
  let used = 0
  const connect = async (): Promise<DuckDBConnection> => {
    idle.stop()
    used++
    try {
      opened ??= openInstance(duckdb, options)
      return await (await opened).connect()
    } catch (error) {
      // What failed once may go well the next time.
      if (--used === 0) opened = undefined
      throw error
    }
  }
  const disconnect = (connection: DuckDBConnection): void => {
    connection.closeSync()
    used--
    idle.start()
  }
  const close = (): void => {
    opened?.then(
      (instance) => instance.closeSync(),
      () => undefined
    )
    opened = undefined
  }
  return {
    async use(work, signal) {
      await turns.take()
      try {
        signal?.throwIfAborted()
        const connection = await connect()
        try {
          return await work(sessionOf(connection, duckdb, signal))
        } finally {
          disconnect(connection)
        }
      } finally {
        turns.giveBack()
      }
    },
    async open() {
      const connection = await connect()
      return { session: sessionOf(connection, duckdb), close: () => disconnect(connection) }
    },
    rest() {
      if (used > 0) return false
      idle.stop()
      close()
      return true
    },
    close() {
      idle.stop()
      close()
    }
  }
}

/** So many at a time; others wait. */
function connectionTurns(most: number) {
  let free = most
  const waiting: (() => void)[] = []
  return {
    async take(): Promise<void> {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
    },
    giveBack(): void {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

const IDLE_MS = 300_000

function idleTimer({ onIdle, idleMs = IDLE_MS }: EngineOptions) {
  let timer: NodeJS.Timeout | undefined
  return {
    stop: () => clearTimeout(timer),
    start(): void {
      clearTimeout(timer)
      if (onIdle !== undefined) timer = setTimeout(onIdle, idleMs).unref()
    }
  }
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The text of a file's path, or of several, for `read_parquet`. */
export const filesOf = (paths: readonly string[]): string => `[${paths.map(literal).join(', ')}]`

async function openInstance(
  { DuckDBInstance: Instance }: DuckDB,
  { folders, memoryMb, threads }: EngineOptions
): Promise<DuckDBInstance> {
  const instance = await Instance.create(':memory:', {
    memory_limit: `${memoryMb}MB`,
    threads: String(threads),
    temp_directory: '',
    // Gives back to the system what statements no longer use, also when none follows.
    allocator_background_threads: 'true',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    preserve_insertion_order: 'false'
  })
  const connection = await instance.connect()
  // Statements in this order: each makes the next one the last that may be said.
  await connection.run(`SET allowed_directories = ${filesOf(folders)}`)
  await connection.run(`ATTACH ':memory:' AS ${MIRROR} (COMPRESS)`)
  await connection.run("SET TimeZone = 'UTC'")
  await connection.run("SET GLOBAL TimeZone = 'UTC'")
  // Of all connections, not of this one. Bytes of files are in the system's cache already.
  await connection.run('SET GLOBAL parquet_metadata_cache = true')
  await connection.run('SET GLOBAL enable_external_file_cache = false')
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
  connection.closeSync()
  return instance
}

/** Runs a statement within its time, and until a signal ends it. */
async function within<T>(
  connection: DuckDBConnection,
  signal: AbortSignal | undefined,
  run: () => Promise<T>
): Promise<T> {
  signal?.throwIfAborted()
  const interrupt = () => connection.interrupt()
  const timer = setTimeout(interrupt, MAX_TIME_MS)
  signal?.addEventListener('abort', interrupt)
  try {
    return await run()
  } catch (error) {
    signal?.throwIfAborted()
    throw readable(error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', interrupt)
  }
}

function readable(error: unknown): unknown {
  const text = error instanceof Error ? error.message : ''
  if (/^INTERRUPT/i.test(text)) {
    return errors.TEL_HISTORY_READ({ reason: 'it takes too long', cause: error })
  }
  if (/^Out of Memory/i.test(text)) {
    return errors.TEL_HISTORY_READ({ reason: 'it needs too much memory', cause: error })
  }
  return error
}

/** A statement without parameters is planned once, one with them twice. */
const given = (values: readonly string[]): string[] | undefined =>
  values.length === 0 ? undefined : [...values]

const sessionOf = (
  connection: DuckDBConnection,
  { DuckDBDataChunk: Chunk, VARCHAR }: DuckDB,
  signal?: AbortSignal
): Session => ({
  async rows(sql, values, read) {
    const result = await within(connection, signal, () => connection.run(sql, given(values)))
    const rows: ReturnType<typeof read>[] = []
    const turn = startSlices()
    for (;;) {
      const chunk = await result.fetchChunk()
      if (chunk === null || chunk.rowCount === 0) return rows
      for (const cells of cellsOf(chunk)) rows.push(read(cells))
      await turn()
    }
  },
  async texts(sql, values = []) {
    const reader = await within(connection, signal, () =>
      connection.runAndReadAll(sql, given(values))
    )
    const [column = []] = reader.getColumns()
    return column as string[]
  },
  async run(sql, values = []) {
    await within(connection, signal, () => connection.run(sql, given(values)))
  },
  async fill(table, lines) {
    const appender = await connection.createAppender(table)
    const turn = startSlices()
    for (let at = 0; at < lines.length; at += CHUNK) {
      const chunk = Chunk.create([VARCHAR])
      chunk.setColumns([lines.slice(at, at + CHUNK)])
      appender.appendDataChunk(chunk)
      await turn()
    }
    appender.closeSync()
  }
})
