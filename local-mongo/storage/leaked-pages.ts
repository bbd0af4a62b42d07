// Counts the pages of the data file that no tree and no list of free pages has. It reads LMDB's file format
// (MDB_meta, MDB_db, MDB_page_header and MDB_node of mdb.c), because lmdb-js tells neither how many pages
// are free nor how many the trees inside a database with duplicates have.
import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Of the whole file. */
export interface PageCount {
  readonly pages: number
  /** In no tree and no list: their space is lost until the file is compacted. */
  readonly leaked: number
}

const META_PAGES = 2
/** Enough for the fields of a meta page. */
const META_BYTES = 160
const META = { databases: 48, lastPage: 144, transaction: 152 } as const
const TREE_BYTES = 48
const HEADER_BYTES = 24
const PAGE = { flags: 18, endOfPointers: 20 } as const
const BRANCH = 0x01
const NODE_BYTES = 8
/** The value is stored on separate overflow pages. */
const BIG_VALUE = 0x01
/** The value is the record of a tree. */
const INNER_TREE = 0x02
const SORTED_DUPLICATES = 0x04
const NO_PAGE = 0xffff_ffff_ffff_ffffn
const PAGES_PER_SLICE = 200

/** The record of a tree: MDB_db. */
interface Tree {
  /** Undefined when it is empty. */
  readonly root: number | undefined
  readonly pages: number
  readonly hasDuplicates: boolean
}

interface Node {
  readonly flags: number
  readonly valueBytes: number
  readonly value: Buffer
}

interface Meta {
  readonly transaction: number
  readonly lastPage: number
  readonly pageBytes: number
  readonly free: Tree
  readonly main: Tree
}

interface OpenFile {
  readonly descriptor: number
  readonly pageBytes: number
}

const numberAt = (bytes: Buffer, at: number): number => Number(bytes.readBigUInt64LE(at))

function readBytes(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  readSync(descriptor, bytes, 0, length, position)
  return bytes
}

function readTree(bytes: Buffer): Tree {
  const root = bytes.readBigUInt64LE(40)
  return {
    root: root === NO_PAGE ? undefined : Number(root),
    pages: numberAt(bytes, 8) + numberAt(bytes, 16) + numberAt(bytes, 24),
    hasDuplicates: (bytes.readUInt16LE(4) & SORTED_DUPLICATES) !== 0
  }
}

function readMeta(bytes: Buffer): Meta {
  return {
    transaction: numberAt(bytes, META.transaction),
    lastPage: numberAt(bytes, META.lastPage),
    pageBytes: bytes.readUInt32LE(META.databases),
    free: readTree(bytes.subarray(META.databases)),
    main: readTree(bytes.subarray(META.databases + TREE_BYTES))
  }
}

/** The meta page of the last commit: commits write the two in turn. */
function lastMeta(descriptor: number): Meta {
  const first = readMeta(readBytes(descriptor, 0, META_BYTES))
  const second = readMeta(readBytes(descriptor, first.pageBytes, META_BYTES))
  return first.transaction > second.transaction ? first : second
}

function* nodesOf(page: Buffer): Generator<Node> {
  const end = HEADER_BYTES + page.readUInt16LE(PAGE.endOfPointers)
  for (let at = HEADER_BYTES; at < end; at += 2) {
    const node = page.subarray(HEADER_BYTES + page.readUInt16LE(at))
    yield {
      flags: node.readUInt16LE(4),
      valueBytes: node.readUInt32LE(0),
      value: node.subarray(NODE_BYTES + node.readUInt16LE(6))
    }
  }
}

/** The page that a node of a branch leads to: it takes the place of size and flags. */
const childOf = ({ flags, valueBytes }: Node): number => valueBytes + flags * 2 ** 32

/** The nodes of all leaves of a tree, a page at a time. */
async function* leavesOf({ descriptor, pageBytes }: OpenFile, { root }: Tree) {
  const waiting = root === undefined ? [] : [root]
  let read = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const page = readBytes(descriptor, next * pageBytes, pageBytes)
    if ((page.readUInt16LE(PAGE.flags) & BRANCH) === 0) yield nodesOf(page)
    else for (const node of nodesOf(page)) waiting.push(childOf(node))
    if (++read % PAGES_PER_SLICE === 0) await setImmediate()
  }
}

/** The pages of a tree and of all trees inside it. */
async function pagesOf(file: OpenFile, tree: Tree): Promise<number> {
  let { pages } = tree
  for await (const nodes of leavesOf(file, tree)) {
    for (const { flags, value } of nodes) {
      if ((flags & INNER_TREE) === 0) continue
      const inner = readTree(value)
      pages += inner.hasDuplicates ? await pagesOf(file, inner) : inner.pages
    }
  }
  return pages
}

/** How many pages a list names: single ones, and runs as their negative length and first page. */
function pagesInList(list: Buffer): number {
  const last = numberAt(list, 0)
  let pages = 0
  for (let at = 1; at <= last; at++) {
    const entry = Number(list.readBigInt64LE(at * 8))
    if (entry < 0) {
      pages -= entry
      at++
    } else if (entry > 0) pages++
  }
  return pages
}

async function freePages(file: OpenFile, tree: Tree): Promise<number> {
  const { descriptor, pageBytes } = file
  let pages = 0
  for await (const nodes of leavesOf(file, tree)) {
    for (const { flags, value, valueBytes } of nodes) {
      const isBig = (flags & BIG_VALUE) !== 0
      const list = isBig
        ? readBytes(descriptor, numberAt(value, 0) * pageBytes + HEADER_BYTES, valueBytes)
        : value
      pages += pagesInList(list)
    }
  }
  return pages
}

/**
 * Notes the last commit of a file; what it answers counts the pages as of then. A snapshot of that commit must
 * be open until it has, so that no page is used again.
 */
export function pageCounter(path: string): () => Promise<PageCount> {
  const noting = openSync(path, 'r')
  const { lastPage, pageBytes, free, main } = lastMeta(noting)
  closeSync(noting)
  return async () => {
    const descriptor = openSync(path, 'r')
    try {
      const file = { descriptor, pageBytes }
      const used = free.pages + (await freePages(file, free)) + (await pagesOf(file, main))
      const pages = lastPage + 1
      return { pages, leaked: pages - META_PAGES - used }
    } finally {
      closeSync(descriptor)
    }
  }
}
