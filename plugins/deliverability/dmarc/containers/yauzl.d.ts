// The part of yauzl that is used here; the package has no declarations.
declare module 'yauzl' {
  import type { Readable } from 'node:stream'

  export interface Entry {
    readonly fileName: Buffer
    readonly compressedSize: number
    readonly uncompressedSize: number
    readonly crc32: number
    isEncrypted(): boolean
  }
  export interface ZipFile {
    readonly entryCount: number
    eachEntry(): AsyncIterable<Entry>
    openReadStreamPromise(entry: Entry): Promise<Readable>
  }
  const yauzl: {
    fromBufferPromise(
      buffer: Buffer,
      options: {
        readonly lazyEntries: true
        readonly autoClose: boolean
        readonly decodeStrings: false
      }
    ): Promise<ZipFile>
  }
  export default yauzl
}
