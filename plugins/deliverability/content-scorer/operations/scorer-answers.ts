// What the operations of the content scorer answer.
import { Type } from '@keelson/sdk'

const score = Type.Union([Type.Number(), Type.Null()])
const details = {
  feedback: Type.Array(
    Type.Object(
      { category: Type.String(), severity: Type.String(), message: Type.String() },
      { title: 'ScoreFeedback' }
    )
  ),
  summary: Type.Union([Type.String(), Type.Null()]),
  scoredAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
}
const status = Type.Enum(['pending', 'ready'])

/** The score of a draft, with the settings that judge it. */
export const draftScoreSchema = Type.Object(
  {
    configured: Type.Boolean(),
    minScore: Type.Number(),
    requireScore: Type.Boolean(),
    cacheHours: Type.Number(),
    score,
    ...details
  },
  { title: 'DraftScore' }
)

/** A check that was started, or the score that the content has. */
export const checkSchema = Type.Object(
  {
    cached: Type.Boolean(),
    status,
    checkId: Type.String(),
    contentKey: Type.String(),
    score,
    message: Type.String()
  },
  { title: 'ScoreCheck' }
)

/** The result of a check. */
export const resultSchema = Type.Object({ status, score, ...details }, { title: 'ScoreResult' })
