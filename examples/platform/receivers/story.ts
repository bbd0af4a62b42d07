// What receivers hold against the mail of the demo: one row, which the traffic writes.
import { type Static, Type } from '@keelson/sdk'
import type { Collection } from 'mongodb'

export const storySchema = Type.Object(
  {
    listed: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
      maxItems: 100,
      description: 'Names that block lists answer, as 10.2.0.192.bl.spamcop.net.'
    }),
    reportedOn: Type.Array(Type.String({ format: 'date' }), {
      maxItems: 100,
      description: 'Days on which more people than usual reported mail as spam.'
    })
  },
  { additionalProperties: false }
)
export type Story = Static<typeof storySchema>

export interface StoryRow extends Story {
  readonly _id: 'story'
}

const NOTHING: Story = { listed: [], reportedOn: [] }

export const readStory = async (stored: Collection<StoryRow>): Promise<Story> =>
  (await stored.findOne({ _id: 'story' })) ?? NOTHING
