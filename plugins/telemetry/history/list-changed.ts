// What a read finds while others seal, merge and erase.

/** Another process changed segments, or files, since they were read. */
export class ListChanged extends Error {
  override readonly name = 'ListChanged'
}
