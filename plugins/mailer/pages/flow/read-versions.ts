// What the versions of a flow are shown from: the list, and the content of two of them.
import type { FlowContent } from '../../ledger/flow-rows.ts'
import type { MailApi } from '../mail-api.ts'
import type { VersionAnswer, VersionLine } from './answers.ts'

/** The versions of a flow, and the content of the one that is shown and of the one before. */
export interface ShownVersions {
  readonly versions: readonly VersionLine[]
  /** 0 for the draft, which has its content from elsewhere. */
  readonly shown: number
  /** Undefined before the first version. */
  readonly before: FlowContent | undefined
  readonly after: FlowContent
}

const NOTHING: FlowContent = { steps: [] }

/** Reads the versions, and the content of one and of the one before; an unknown version has none. */
export async function readVersions(
  api: MailApi,
  flow: string,
  shown: number
): Promise<ShownVersions> {
  const path = `${flow}/versions`
  const contentOf = async (version: number) =>
    version > 0 ? ((await api.find<VersionAnswer>(`${path}/${version}`)) ?? NOTHING) : undefined
  const [versions, before, after = NOTHING] = await Promise.all([
    api.read<readonly VersionLine[]>(path),
    contentOf(shown - 1),
    contentOf(shown)
  ])
  return { versions, shown, before, after }
}
