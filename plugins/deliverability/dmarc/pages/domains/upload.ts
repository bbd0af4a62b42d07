// Uploads reports one after the other, and says in one line what became of all of them.
import { type Api, type KeelsonPage, RequestError } from '@keelson/ui'

/** More files at once are left to a second upload. */
const MOST = 100

interface Stored {
  readonly duplicate?: boolean
  readonly orgName?: string
  readonly domain?: string
  readonly totalMessages?: number
}

/** A file that was refused, and why. */
export interface RefusedFile {
  readonly name: string
  readonly why: string
}

/** What became of an upload. */
export interface Uploaded {
  readonly stored: readonly Stored[]
  readonly duplicates: number
  readonly refused: readonly RefusedFile[]
  /** Files that were not tried: too many, or the first ones could not be sent at all. */
  readonly untried: number
}

/** Sends the files; a file that is refused does not stop the others. */
export async function uploadFiles(
  api: Pick<Api, 'act' | 'words'>,
  files: readonly File[],
  onProgress: (done: number) => void
): Promise<Uploaded> {
  const stored: Stored[] = []
  const refused: RefusedFile[] = []
  let duplicates = 0
  const tried = files.slice(0, MOST)
  for (const [at, file] of tried.entries()) {
    const body = new FormData()
    body.set('file', file)
    try {
      const answer = await api.act<Stored>('POST', '/upload', body)
      if (answer.duplicate === true) duplicates += 1
      else stored.push(answer)
    } catch (error) {
      refused.push({ name: file.name, why: api.words(error) })
      // Signed out, or the server is away: the next file would fail as well.
      if (!(error instanceof RequestError) || error.status === 401 || error.status >= 500)
        return { stored, duplicates, refused, untried: files.length - at - 1 }
    }
    onProgress(at + 1)
  }
  return { stored, duplicates, refused, untried: files.length - tried.length }
}

/** One sentence for one report, one for many. Pure. */
export function uploadedWords(
  { stored, duplicates }: Pick<Uploaded, 'stored' | 'duplicates'>,
  { t, format }: Pick<KeelsonPage, 't' | 'format'>
): string {
  const [first] = stored
  if (stored.length === 0) return t('dmarc.duplicate')
  const known = duplicates === 0 ? '' : ` ${t('dmarc.duplicates', { count: duplicates })}`
  if (stored.length > 1) return t('dmarc.uploadedMany', { count: stored.length }) + known
  const { orgName, domain, totalMessages = 0 } = first ?? {}
  if (orgName === undefined || domain === undefined) return t('dmarc.uploadedOther') + known
  return t('dmarc.uploaded', { org: orgName, domain, count: format.number(totalMessages) }) + known
}
