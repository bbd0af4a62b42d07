// What a plugin does with a queue: adds items, and moves those that wait.
import type { ClientSession, Collection } from 'mongodb'
import type { Clock } from '../clock.ts'
import type { Queue, QueueItem } from './queue.ts'
import { addItems, type StoredItem } from './queue-store.ts'
import { rescheduleItems, withdrawItems } from './steer-items.ts'

/** The actions of a queue over `collection`. `wake` is called when items may be due. */
export function queueActions<T extends QueueItem>(
  collection: Collection<StoredItem>,
  clock: Clock,
  wake: () => void
): Queue<T> {
  return {
    async add(items, options = {}) {
      const added = await addItems(collection, items, clock.now(), options)
      wakeAfter(options.session, wake)
      return { added }
    },
    withdraw: async (filter, options) => ({
      withdrawn: await withdrawItems(collection, filter, options, clock.now())
    }),
    async reschedule(filter, options = {}) {
      const rescheduled = await rescheduleItems(collection, filter, options, clock.now())
      wakeAfter(options.session, wake)
      return { rescheduled }
    }
  }
}

/** What is written in a transaction can be seen when that is over. */
function wakeAfter(session: ClientSession | undefined, wake: () => void): void {
  if (session === undefined) wake()
  else session.once('ended', wake)
}
