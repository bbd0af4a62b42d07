// Where a key leads from a block: up and down through all of them, left to the block around, right into it. Pure.
import { allBlocks, parentOf } from './edit-blocks.ts'
import type { BlockDocument } from './read-blocks.ts'

/** The path that a key leads to; undefined when it does not move. */
export function movedTo(document: BlockDocument, path: string, key: string): string | undefined {
  const paths = allBlocks(document).map((one) => one.path)
  const at = paths.indexOf(path)
  switch (key) {
    case 'ArrowDown':
      return paths[at + 1]
    case 'ArrowUp':
      return paths[at - 1]
    case 'ArrowLeft':
      return parentOf(path) || undefined
    case 'ArrowRight':
      return paths.includes(`${path}.0`) ? `${path}.0` : undefined
    case 'Home':
      return paths[0]
    case 'End':
      return paths.at(-1)
    default:
      return undefined
  }
}
