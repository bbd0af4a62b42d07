// Whether a score lets content be published. Pure.

/** What the gate decides on. */
export interface ScoreGate {
  /** 0 to 10; null when the content has none. */
  readonly score: number | null
  readonly minScore: number
  readonly requireScore: boolean
  /** Whether a person publishes. Code and agents publish in one call, before there is anything to score. */
  readonly isByPerson?: boolean
  /** `bypassContentScorer: true` of the publish request. */
  readonly isBypassed?: boolean
}

/** Why content is not published: the body of the answer. */
export interface ScoreRefusal {
  readonly error: 'content_scorer_blocked'
  readonly code: 'low_score' | 'no_score'
  readonly message: string
  readonly score: number | null
  readonly hint: string
  readonly [detail: string]: unknown
}

/** null lets the content go. */
export function evaluateContentScorerGate(gate: ScoreGate): ScoreRefusal | null {
  const { score, minScore, requireScore, isByPerson = true, isBypassed = false } = gate
  const error = 'content_scorer_blocked'
  if (isBypassed) return null
  if (score === null) {
    if (!requireScore || !isByPerson) return null
    const message = 'The content has no score.'
    return { error, code: 'no_score', message, score, hint: 'Check the content, then publish it.' }
  }
  if (score >= minScore) return null
  const message = `The content has the score ${score}; at least ${minScore} is required.`
  const hint = 'Read what the check found, change the content and check it again.'
  return { error, code: 'low_score', message, score, hint }
}
