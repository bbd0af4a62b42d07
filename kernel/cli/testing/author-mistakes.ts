// Mistakes that authors of plugins make, all in one table.
import type { AuthorMistake } from './author-mistake.ts'
import { contractMistakes, pageMistakes } from './contract-mistakes.ts'
import { manifestMistakes, routeMistakes } from './manifest-mistakes.ts'
import { storageMistakes, workMistakes } from './work-mistakes.ts'

export const authorMistakes: readonly AuthorMistake[] = [
  ...manifestMistakes,
  ...routeMistakes,
  ...storageMistakes,
  ...workMistakes,
  ...pageMistakes,
  ...contractMistakes
]
