// keelson move: copies the platform's database to another one, and verifies the copy.
import { connectStorage, databaseOf } from '../../storage/connect.ts'
import { type Command, table } from '../command.ts'
import { moveDatabase } from '../move/move-database.ts'
import { commandLog, findPlatform, withStorage } from '../platform.ts'

export const move: Command = {
  name: 'move',
  summary: 'Copy the database of the platform to another MongoDB, and verify the copy.',
  details:
    'Stop the hosts first: what they write meanwhile is copied once more, and after three rounds the command gives up. The target must be empty. A copy that was interrupted goes on when the command runs again. The source stays as it is.',
  options: {
    to: {
      type: 'string',
      placeholder: 'URI',
      description:
        'The connection string of the target, as "$MONGODB_URI". It names the database; default: the one of the config.'
    }
  },
  async run(context, { options, signal }) {
    const uri = options['to']
    if (typeof uri !== 'string' || uri === '') return { wrongUse: '--to is missing.' }
    const platform = await findPlatform(context)
    const { baseDir } = platform.read
    return withStorage(platform, async ({ db: from, description: source }) => {
      const database = databaseOf(uri) ?? from.databaseName
      const target = await connectStorage({ uri, database }, { baseDir, log: commandLog() })
      try {
        const { note } = context
        const collections = await moveDatabase({ from, to: target.db, source, signal, note })
        const json = { from: source, to: target.description, collections }
        const rows = collections.map(({ collection, documents, indexes }) => [
          collection,
          `${documents} documents`,
          `${indexes} indexes`
        ])
        const text = [
          `Copied and verified, from ${source} to ${target.description}:`,
          ...table(rows),
          '',
          `Set storage.uri to the connection string and storage.database to "${database}", and start the hosts.`
        ].join('\n')
        return { text, json }
      } finally {
        await target.close()
      }
    })
  }
}
