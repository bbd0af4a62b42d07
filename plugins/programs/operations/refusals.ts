// Every word that programs refuse a call with.
import { defineRefusals } from '@keelson/sdk'

/** The refusals of programs. */
export const refusals = defineRefusals({
  bad_id: {
    status: 400,
    message: 'An id or slug in the address is invalid.',
    fix: 'Use an id that a list of this API answered.'
  },
  not_found: {
    status: 404,
    message: 'It was not found.',
    fix: 'Use a slug or an id that a list of this API answered.'
  },
  slug_taken: {
    status: 409,
    message: 'The slug is in use.',
    fix: 'Choose another slug, or change what has it.'
  },
  conflict: {
    status: 409,
    message: 'It was changed at the same moment.',
    fix: 'Try again.'
  },
  draft_conflict: {
    status: 409,
    message: 'The draft was changed by another caller since it was read.',
    fix: 'Read it again, repeat the change, and send its revision in If-Match.'
  },
  not_published: {
    status: 409,
    message: 'It was never published, or is not enabled.',
    fix: 'Publish and enable it first.'
  },
  no_draft: {
    status: 409,
    message: 'There is no draft to publish.',
    fix: 'Change the draft first.'
  },
  invalid_program: {
    status: 422,
    message: 'The program is invalid.',
    fix: 'Correct the parts that the answer names.'
  },
  already_entered: {
    status: 409,
    message: 'The subject is in the program, or was.',
    fix: 'Use another subject.'
  },
  run_not_active: {
    status: 409,
    message: 'The run is over.',
    fix: 'Use a run that a list shows as active.'
  },
  run_busy: {
    status: 409,
    message: 'A worker holds the run.',
    fix: 'Try again in a second.'
  }
})
