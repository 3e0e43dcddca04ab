import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Client } from 'pg'
import { selectSchema } from '../db/migrate.ts'
import { openSnapshot, type Snapshot } from '../db/snapshot.ts'
import { readRows, readSequences, selectTables } from '../db/tables.ts'
import { everyFile, type MediaStore } from '../integrations/media/media-store.ts'
import type { Config } from '../settings/config.ts'
import { bytesEntry, type Entry, jsonEntry, writeArchive } from './archive.ts'
import { BadBackup } from './bad-backup.ts'
import {
  KEYS,
  type Keys,
  MANIFEST,
  type Manifest,
  MEDIA_LIST,
  release,
  SEQUENCES,
  TABLES,
} from './manifest.ts'
import { hashMedia, mediaEntries } from './media.ts'
import { type Progress, silently } from './progress.ts'

export interface Made {
  readonly rows: number
  readonly files: number
  readonly mediaBytes: number
}

export interface Making {
  readonly shop: Pick<Config, 'dataDir' | 'databaseUrl' | 'appKeys' | 'codeKey'>
  readonly store: MediaStore
  readonly file: string
  readonly passphrase?: string | undefined
  readonly media: Manifest['media']
  readonly now: Date
  readonly progress?: Progress
}

/** Saves a running shop into one file. @throws {BadBackup} */
export async function makeBackup(making: Making): Promise<Made> {
  const { shop, store, passphrase, media, progress = silently } = making
  const file = resolve(making.file)
  if (existsSync(file)) throw new BadBackup(`There is a file ${file} already. Choose another name.`)
  const made = { rows: 0, files: 0, mediaBytes: 0 }
  progress.begin('Taking a picture of the database')

  async function* entries(snapshot: Snapshot): AsyncGenerator<Entry> {
    const { client } = snapshot
    const madeAt = making.now.toISOString()
    const schema = await selectSchema(client)
    if (schema === 0)
      throw new BadBackup(
        'There is no shop in this database yet. Start it once, or set DATABASE_URL to yours.',
      )
    yield jsonEntry(MANIFEST, { format: 1, madeBy: release(), madeAt, schema, media } satisfies Manifest)
    yield jsonEntry(KEYS, { appKeys: shop.appKeys, codeKey: shop.codeKey } satisfies Keys)
    yield* tableEntries(client, (rows) => progress.at('Rows', (made.rows += rows)))
    await snapshot.close()
    // Listed after the database, so that every file that a row references is included.
    const files = await everyFile(store)
    made.files = files.length
    made.mediaBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
    const onBytes = (bytes: number) => progress.bytes('Sound, e-books and pictures', bytes, made.mediaBytes)
    if (media === 'whole') yield* mediaEntries(store, files, onBytes)
    else yield jsonEntry(MEDIA_LIST, await hashMedia(store, files, onBytes))
  }

  const snapshot = await openSnapshot(shop)
  try {
    await writeArchive(file, passphrase, entries(snapshot))
  } finally {
    await snapshot.close()
  }
  progress.end()
  return made
}

const zipped = promisify(gzip)

async function* tableEntries(client: Client, onRows: (rows: number) => void): AsyncGenerator<Entry> {
  for (const table of await selectTables(client)) {
    let part = 0
    for await (const { json, count } of readRows(client, table)) {
      part += 1
      yield bytesEntry(`${TABLES}${table.name}/${String(part).padStart(6, '0')}.json.gz`, await zipped(json))
      onRows(count)
    }
  }
  yield jsonEntry(SEQUENCES, await readSequences(client))
}
